"""One tiny request that tells whether an endpoint is fit: format, model and latency."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from propose.client import connect
from propose.complaints import complaint, shown
from propose.endpoint import Endpoint
from propose.exchange import Asked, Failed, Terms, ask_all
from propose.pipeline import Settings, how_answered, offered_by
from propose.prompt import Prompt, ask_again, prompt_for

_ANSWER_TOKENS = 64


@dataclass(frozen=True)
class Health:
    """What one request showed; `answer_format` is the rung that was answered and the steps that led there."""

    origin: str
    model_asked: str
    model_answered: str | None
    answer_format: str
    seconds: float
    requests: int


def check_endpoint_once(endpoint: Endpoint, settings: Settings) -> Health:
    """Ask for an empty list. Raises EndpointFailed or UnusableAnswer as a real run would."""
    return asyncio.run(_check(endpoint, settings))


async def _check(endpoint: Endpoint, settings: Settings) -> Health:
    terms = Terms(
        asyncio.get_running_loop().time() + settings.timeout_s,
        lambda faults: ask_again(faults, settings.templates),
        settings.tell,
    )
    started = time.monotonic()
    async with connect(endpoint) as client:
        [result] = await ask_all(client, [_tiny(settings)], terms)
        seconds = time.monotonic() - started
        if isinstance(result, Failed):
            models = await offered_by(client, [result])
            raise complaint(result.trouble, endpoint, timeout_s=settings.timeout_s, models=models)
    return _health(result, endpoint, seconds)


def _tiny(settings: Settings) -> Prompt:
    prompt = prompt_for((), (), replace(settings.budget, answer=_ANSWER_TOKENS), settings.templates)
    message = {"role": "user", "content": 'Answer with this JSON object and nothing else: {"candidates": []}'}
    return replace(prompt, messages=(message,))


def _health(result: Asked, endpoint: Endpoint, seconds: float) -> Health:
    named = result.completion.model
    answered = shown(named[:200], endpoint) if named else None
    return Health(endpoint.origin, endpoint.model, answered, how_answered(result), seconds, result.requests)

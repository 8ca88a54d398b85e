"""One tiny request that tells whether an endpoint is fit: format, model and latency."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from inventory import strict_json
from propose.answer import Answer
from propose.client import connect
from propose.complaints import complaint, shown
from propose.endpoint import Endpoint
from propose.exchange import Asked, Failed, Terms, ask_all
from propose.outcome import Settings, how_answered
from propose.pipeline import offered_by
from propose.prompt import Prompt, prompt_for
from propose.replies import Completion

_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_MESSAGE = {"role": "user", "content": 'Answer with this JSON object and nothing else: {"ready": true}'}


@dataclass(frozen=True)
class Health:
    """What one request showed; `answer_format` is the rung that was answered and the steps that led there."""

    origin: str
    model_asked: str
    model_answered: str | None
    answer_format: str
    is_json: bool
    seconds: float
    requests: int


def check_endpoint_once(endpoint: Endpoint, settings: Settings) -> Health:
    """Ask for one small object. Raises EndpointFailed or UnusableAnswer as a real run would."""
    return asyncio.run(_check(endpoint, settings))


async def _check(endpoint: Endpoint, settings: Settings) -> Health:
    deadline = asyncio.get_running_loop().time() + settings.timeout_s
    terms = Terms(deadline, lambda _faults: _MESSAGE, settings.tell, settings.tick, _read)
    started = time.monotonic()
    async with connect(endpoint) as client:
        [result] = await ask_all(client, [_tiny(settings)], terms)
        seconds = time.monotonic() - started
        if isinstance(result, Failed):
            models = await offered_by(client, [result])
            raise complaint(result.trouble, endpoint, timeout_s=settings.timeout_s, models=models)
    return _health(result, endpoint, seconds)


def _tiny(settings: Settings) -> Prompt:
    prompt = prompt_for((), (), settings.budget, settings.templates)
    return replace(prompt, messages=(_MESSAGE,), schema=_SCHEMA)


def _read(completion: Completion, _prompt: Prompt) -> Answer:
    """Any text is an answer here; whether it is JSON is told."""
    value, faults = strict_json.load(completion.text, "answer")
    return Answer(() if faults else (value,))


def _health(result: Asked, endpoint: Endpoint, seconds: float) -> Health:
    named = result.completion.model
    answered = shown(named[:200], endpoint) if named else None
    how, is_json = how_answered(result), bool(result.drafts)
    return Health(endpoint.origin, endpoint.model, answered, how, is_json, round(seconds, 3), result.requests)

"""Asks an endpoint: one prompt with its retries and changes, several prompts at once, one deadline over all."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from propose.answer import Answer, Unreadable, read_answer, read_strictly
from propose.client import Client
from propose.completions import judge
from propose.ladder import MAX_WAIT_S, Attempt, Shape
from propose.prompt import Prompt
from propose.replies import Completion, Kind, Trouble

CONCURRENT = 4
SEEN_SHARE = 0.6


@dataclass(frozen=True)
class Asked:
    """A prompt that was answered: the drafts, and how it came to that."""

    prompt: Prompt
    drafts: tuple[Any, ...]
    completion: Completion
    attempt: Attempt
    requests: int
    tokens: int


@dataclass(frozen=True)
class Failed:
    """A prompt that was not answered."""

    prompt: Prompt
    trouble: Trouble
    requests: int


@dataclass(frozen=True)
class Terms:
    """What holds for a whole run: the deadline (loop time, seconds), what to say and whom to tell.

    `again` makes the message that asks once more from our list of faults; `tell` gets a line of talk;
    `tick` gets the number of prompts that are done, and of all; `read` finds the answer in a completion;
    `better` makes the message that asks once for better drafts than these, where they can be bettered.
    """

    deadline: float
    again: Callable[[Sequence[str]], dict[str, str]]
    tell: Callable[[str], None]
    tick: Callable[[int, int], None]
    read: Callable[[Completion, Prompt], Answer | Trouble]
    better: Callable[[Sequence[Any], Prompt], dict[str, str] | None] = lambda _drafts, _prompt: None


async def ask_all(client: Client, prompts: Sequence[Prompt], terms: Terms) -> list[Asked | Failed]:
    """Every prompt in order. The first goes alone: what it learns about the server serves the others."""
    if not prompts:
        return []
    terms.tick(0, len(prompts))
    first = await ask(client, prompts[0], terms, None)
    if isinstance(first, Failed) and first.trouble.kind not in _OF_ONE_PROMPT:
        return [first, *(Failed(prompt, first.trouble, 0) for prompt in prompts[1:])]
    learned = first.attempt if isinstance(first, Asked) else None
    gate, done = asyncio.Semaphore(CONCURRENT), itertools.count(2)
    terms.tick(1, len(prompts))

    async def one(prompt: Prompt) -> Asked | Failed:
        async with gate:
            result = await ask(client, prompt, terms, learned)
        terms.tick(next(done), len(prompts))
        return result

    return [first, *await asyncio.gather(*map(one, prompts[1:]))]


async def ask(client: Client, prompt: Prompt, terms: Terms, learned: Attempt | None) -> Asked | Failed:
    """One prompt, until an answer can be read, nothing is left to try, or the deadline has come."""
    talk = _Talk(client, prompt, terms, _start(prompt, learned))
    try:
        async with asyncio.timeout_at(terms.deadline):
            return await talk.run()
    except TimeoutError:
        if talk.answer:
            return replace(talk.answer, requests=talk.requests, tokens=talk.tokens)
        last = talk.last if talk.last and talk.last.kind is Kind.LOADING else Trouble(Kind.TIMEOUT)
        return Failed(prompt, last, talk.requests)


_OF_ONE_PROMPT = (
    *(Kind.OVERFLOW, Kind.REFUSED, Kind.FILTERED, Kind.EMPTY, Kind.CUT, Kind.REASONING),
    *(Kind.UNREADABLE, Kind.PROMPT_CUT, Kind.UNUSUAL_END),
)


def _start(prompt: Prompt, learned: Attempt | None) -> Attempt:
    shape = Shape(prompt.budget.answer)
    if learned is None:
        return Attempt(shape)
    known = learned.shape
    shape = replace(shape, rung=known.rung, token_parameter=known.token_parameter, stream=known.stream)
    return Attempt(shape, changes=learned.changes)


class _Talk:
    """The course of one prompt; `last` and `requests` outlive a deadline."""

    def __init__(self, client: Client, prompt: Prompt, terms: Terms, attempt: Attempt) -> None:
        self.client, self.prompt, self.terms, self.attempt = client, prompt, terms, attempt
        self.messages = list(prompt.messages)
        self.requests = 0
        self.tokens = 0
        self.last: Trouble | None = None
        self.answer: Asked | None = None
        self.asked_again = False

    async def run(self) -> Asked | Failed:
        while True:
            outcome = await self.once()
            if isinstance(outcome, Asked):
                self.answer = outcome
                return await self.bettered(outcome)
            self.last = outcome
            if not self.may_ask_again(outcome):
                following = self.attempt.after(outcome)
                if following is None or not await self.waited(following):
                    return Failed(self.prompt, outcome, self.requests)
                self.attempt = following

    async def once(self) -> Asked | Trouble:
        payload = self.attempt.shape.payload(self.client.endpoint.model, self.messages, self.prompt.schema)
        self.requests += 1
        reply = await self.client.complete(payload)
        outcome = reply if isinstance(reply, Trouble) else judge(reply)
        if isinstance(outcome, Trouble):
            return outcome
        self.tokens += outcome.tokens
        answer = self.terms.read(outcome, self.prompt)
        if isinstance(answer, Trouble):
            return answer
        return Asked(self.prompt, answer.drafts, outcome, self.attempt, self.requests, self.tokens)

    async def bettered(self, answer: Asked) -> Asked:
        """The answer with what came of asking once for better drafts; whatever fails there takes nothing away."""
        message = None if self.asked_again else self.terms.better(answer.drafts, self.prompt)
        if message is None:
            return answer
        self.ask_also(message["content"])
        more = await self.once()
        drafts = (*answer.drafts, *more.drafts) if isinstance(more, Asked) else answer.drafts
        return replace(answer, drafts=drafts, requests=self.requests, tokens=self.tokens)

    def ask_also(self, content: str) -> None:
        """Send the request once more, with this at its end."""
        self.asked_again = True
        *others, request = self.prompt.messages
        self.messages = [*others, {**request, "content": f"{request['content']}\n{content}"}]

    def may_ask_again(self, trouble: Trouble) -> bool:
        """Ask once more with our list of faults after an answer that could not be read."""
        if trouble.kind is not Kind.UNREADABLE or self.asked_again or not trouble.faults:
            return False
        self.ask_also(self.terms.again(trouble.faults)["content"])
        return True

    async def waited(self, following: Attempt) -> bool:
        """Wait as long as the next attempt wants; False when the deadline comes first."""
        wait = following.wait_s
        if wait > MAX_WAIT_S or asyncio.get_running_loop().time() + wait >= self.terms.deadline:
            return False
        if self.last and self.last.kind is Kind.LOADING and self.requests == 1:
            self.terms.tell("the server is still loading its model: waiting")
        await asyncio.sleep(wait)
        return True


def read_candidates(completion: Completion, prompt: Prompt) -> Answer | Trouble:
    """The drafts in a completion, unless the server saw only a part of the prompt."""
    seen = completion.prompt_tokens
    if seen is not None and seen < SEEN_SHARE * prompt.cost:
        return Trouble(Kind.PROMPT_CUT, limit=seen, needed=prompt.cost)
    answer = read_strictly(completion.text) if completion.from_reasoning else read_answer(completion.text)
    if isinstance(answer, Answer):
        return answer
    if completion.from_reasoning:
        return Trouble(Kind.EMPTY)
    return _trouble_of(answer)


def _trouble_of(answer: Unreadable) -> Trouble:
    kind = Kind.REASONING if answer.is_reasoning else Kind.UNREADABLE
    return Trouble(kind, "; ".join(answer.faults), faults=answer.faults)

"""What asking an endpoint comes to: each draft judged, the candidates with their provenance, the rest counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from inventory.identity import Admitted, admit
from inventory.records import Provenance
from propose.budget import Budget, Omission
from propose.complaints import complaint, nothing_usable, shown
from propose.drafts import Rejected, Taken, judge_draft, limited
from propose.endpoint import Endpoint
from propose.exchange import Asked, Failed
from propose.foreign import texts_in
from propose.plan import Plan
from propose.prompt import Prompt, Templates
from propose.subjects import Subject


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    proposer: str
    admitted: Admitted
    targets: int  # changed functions that a property can name
    rejected: tuple[Rejected, ...] = ()
    omitted: tuple[Omission, ...] = ()
    requests: int = 0
    blanked: int = 0
    dropped_samples: int = 0
    changes: tuple[str, ...] = ()
    tokens: int = 0  # as the server counts them; 0 where it does not


@dataclass(frozen=True)
class Settings:
    """How an endpoint is asked: budget in tokens, one deadline in seconds, templates, and whom to tell what.

    `tell` gets a line of talk, `tick` the number of requests that are answered, and of all.
    """

    budget: Budget
    timeout_s: float
    templates: Templates
    tell: Callable[[str], None] = field(repr=False)
    tick: Callable[[int, int], None] = field(default=lambda _done, _total: None, repr=False)


@dataclass(frozen=True)
class Round:
    """What asking came to: an answer or a trouble for each prompt, and what was never asked."""

    results: tuple[Asked | Failed, ...]
    omitted: tuple[Omission, ...]
    models: tuple[str, ...] = ()

    @property
    def asked(self) -> list[Asked]:
        return [result for result in self.results if isinstance(result, Asked)]

    @property
    def failed(self) -> list[Failed]:
        return [result for result in self.results if isinstance(result, Failed)]


def outcome_of(plan: Plan, done: Round, endpoint: Endpoint, settings: Settings) -> Outcome:
    """What the answers of a round come to. Raises UnusableAnswer when there are drafts and none can be used."""
    taken, rejected = _sorted_out(plan, done.asked, endpoint, settings)
    if rejected and not taken:
        raise nothing_usable(rejected)
    return Outcome(
        "endpoint",
        admit((one.candidate for one in taken), plan.known),
        len(plan.production.targets),
        tuple(rejected),
        (*done.omitted, *_unanswered(done.failed, endpoint, settings)),
        sum(result.requests for result in done.results),
        sum(result.prompt.blanked for result in done.results),
        sum(one.dropped_samples for one in taken),
        tuple(dict.fromkeys(change for answer in done.asked for change in answer.attempt.changes)),
        sum(answer.tokens for answer in done.asked),
    )


def _sorted_out(
    plan: Plan, asked: Iterable[Asked], endpoint: Endpoint, settings: Settings
) -> tuple[list[Taken], list[Rejected]]:
    taken: list[Taken] = []
    rejected: list[Rejected] = []
    for answer in asked:
        for verdict in (_without_key(judge_draft(draft, answer.prompt), endpoint) for draft in answer.drafts):
            if isinstance(verdict, Taken):
                taken.append(_with_provenance(verdict, plan, answer, endpoint, settings))
            else:
                rejected.append(verdict)
    kept, over = limited(taken)
    return kept, rejected + over


def _without_key(verdict: Taken | Rejected, endpoint: Endpoint) -> Taken | Rejected:
    """The verdict on a draft; a server that repeats the key gets it into no file and no message."""
    if isinstance(verdict, Rejected):
        return Rejected(endpoint.scrub(verdict.label), tuple(map(endpoint.scrub, verdict.reasons)))
    if endpoint.key and endpoint.key.stands_in(texts_in(verdict.candidate.model_dump())):
        return Rejected("a proposal", ("it repeats the key of the endpoint",))
    return verdict


def _unanswered(failed: Iterable[Failed], endpoint: Endpoint, settings: Settings) -> Iterator[Omission]:
    for result in failed:
        stop = complaint(result.trouble, endpoint, timeout_s=settings.timeout_s)
        for subject in subjects_of([result.prompt]):
            if subject.targets:
                yield Omission(subject.label, f"not answered: {stop.what}")


def _with_provenance(taken: Taken, plan: Plan, answer: Asked, endpoint: Endpoint, settings: Settings) -> Taken:
    provenance = Provenance(
        proposer="endpoint",
        model_asked=endpoint.model,
        model_answered=_model_name(answer, endpoint),
        origin=endpoint.origin,
        response_format=how_answered(answer),
        prompt_sha256=answer.prompt.digest,
        template_sha256=settings.templates.digest,
        diff_sha256=plan.production.digest,
        base=plan.production.base,
        head=plan.production.head,
    )
    return replace(taken, candidate=taken.candidate.model_copy(update={"provenance": provenance}))


def _model_name(answer: Asked, endpoint: Endpoint) -> str | None:
    """The model that says it answered: a foreign text, so only where it is short and plain."""
    name = answer.completion.model
    return shown(name[:200], endpoint) if name else None


def how_answered(answer: Asked) -> str:
    """The rung that was answered, and each step that led there."""
    steps = [str(answer.attempt.shape.rung), *answer.attempt.changes]
    return "; ".join([*steps, *(["read from the reasoning"] if answer.completion.from_reasoning else [])])


def subjects_of(prompts: Iterable[Prompt]) -> list[Subject]:
    """Everything that some prompts ask about."""
    return [block.subject for prompt in prompts for block in prompt.blocks]

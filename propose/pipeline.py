"""The stages of a run: from a plan to new candidates, by rules or by an endpoint; nothing is written here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from inventory.git import Git
from inventory.records import Candidate, Provenance
from propose.budget import Budget, Omission
from propose.client import Client, connect
from propose.complaints import complaint, nothing_usable, shown
from propose.completions import offered_models
from propose.drafts import Rejected, Taken, judge_draft, limited
from propose.endpoint import Endpoint
from propose.exchange import Asked, Failed, Terms, ask_all, read_candidates
from propose.foreign import texts_in
from propose.identity import Admitted, admit
from propose.plan import Batch, Plan, make_batch
from propose.prompt import Prompt, Templates, ask_again
from propose.proof import prove
from propose.replies import Kind, Trouble
from propose.rules import propose_by_rules
from propose.subjects import Subject

_MODELS_WAIT_S = 3.0


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
class _Round:
    """What asking came to: an answer or a trouble for each prompt, and what was never asked."""

    results: tuple[Asked | Failed, ...]
    omitted: tuple[Omission, ...]
    models: tuple[str, ...] = ()


def propose_with_rules(plan: Plan) -> Outcome:
    """The candidates of the embedded proposer."""
    diff = plan.production
    provenance = Provenance(proposer="rules", diff_sha256=diff.digest, base=diff.base, head=diff.head)
    found = [c.model_copy(update={"provenance": provenance}) for c in propose_by_rules(plan.subjects)]
    return Outcome("rules", admit(found, plan.known), len(diff.targets))


def propose_with_endpoint(git: Git, plan: Plan, endpoint: Endpoint, settings: Settings) -> Outcome:
    """The candidates of a model.

    Raises EndpointFailed or UnusableAnswer when no request was answered, UnusableAnswer when drafts came
    and not one of them could be used.
    """
    batch = make_batch(plan, plan.subjects, settings.budget, settings.templates)
    prove(git, plan.production, batch.prompts, settings.templates)
    if not batch.prompts:
        return Outcome("endpoint", admit((), plan.known), len(plan.production.targets), omitted=batch.packing.omitted)
    done = asyncio.run(_ask(git, plan, batch, endpoint, settings))
    failed = [result for result in done.results if isinstance(result, Failed)]
    asked = [result for result in done.results if isinstance(result, Asked)]
    if not asked:
        raise complaint(failed[0].trouble, endpoint, timeout_s=settings.timeout_s, models=done.models)
    return _judged(plan, done, asked, failed, endpoint, settings)


async def _ask(git: Git, plan: Plan, batch: Batch, endpoint: Endpoint, settings: Settings) -> _Round:
    """Ask every prompt; those that were too long for the server are packed anew, once and smaller."""
    terms = Terms(
        asyncio.get_running_loop().time() + settings.timeout_s,
        lambda faults: ask_again(faults, settings.templates),
        settings.tell,
        settings.tick,
        read_candidates,
    )
    async with connect(endpoint) as client:
        results = await ask_all(client, batch.prompts, terms)
        omitted = batch.packing.omitted
        too_long = [r for r in results if isinstance(r, Failed) and r.trouble.kind is Kind.OVERFLOW]
        if too_long:
            smaller = settings.budget.smaller(too_long[0].trouble.limit)
            settings.tell(f"the prompt is too long for the server: packing again for {smaller.context} tokens")
            again = make_batch(plan, _subjects(r.prompt for r in too_long), smaller, settings.templates)
            prove(git, plan.production, again.prompts, settings.templates)
            omitted += again.packing.omitted
            anew = await ask_all(client, again.prompts, terms)
            results = [r for r in results if r not in too_long] + (anew or list[Asked | Failed](too_long))
        models = await offered_by(client, results)
    return _Round(tuple(results), omitted, models)


def _subjects(prompts: Iterable[Prompt]) -> list[Subject]:
    return [block.subject for prompt in prompts for block in prompt.blocks]


async def offered_by(client: Client, results: Sequence[Asked | Failed]) -> tuple[str, ...]:
    """What the server offers, where it does not know the model and tells soon."""
    if not any(isinstance(r, Failed) and r.trouble.kind is Kind.NO_MODEL for r in results):
        return ()
    try:
        async with asyncio.timeout(_MODELS_WAIT_S):
            reply = await client.models()
    except TimeoutError:
        return ()
    return () if isinstance(reply, Trouble) else offered_models(reply)


def _judged(
    plan: Plan,
    done: _Round,
    asked: Sequence[Asked],
    failed: Sequence[Failed],
    endpoint: Endpoint,
    settings: Settings,
) -> Outcome:
    taken: list[Taken] = []
    rejected: list[Rejected] = []
    for answer in asked:
        for verdict in (_without_key(judge_draft(draft, answer.prompt), endpoint) for draft in answer.drafts):
            if isinstance(verdict, Taken):
                taken.append(_with_provenance(verdict, plan, answer, endpoint, settings))
            else:
                rejected.append(verdict)
    taken, over = limited(taken)
    rejected += over
    if rejected and not taken:
        raise nothing_usable(rejected)
    return Outcome(
        "endpoint",
        admit((one.candidate for one in taken), plan.known),
        len(plan.production.targets),
        tuple(rejected),
        (*done.omitted, *_unanswered(failed, endpoint, settings)),
        sum(result.requests for result in done.results),
        sum(result.prompt.blanked for result in done.results),
        sum(one.dropped_samples for one in taken),
        tuple(dict.fromkeys(change for answer in asked for change in answer.attempt.changes)),
    )


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
        for subject in _subjects([result.prompt]):
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
    return replace(taken, candidate=_stamped(taken.candidate, provenance))


def _stamped(candidate: Candidate, provenance: Provenance) -> Candidate:
    return candidate.model_copy(update={"provenance": provenance})


def _model_name(answer: Asked, endpoint: Endpoint) -> str | None:
    """The model that says it answered: a foreign text, so only where it is short and plain."""
    name = answer.completion.model
    return shown(name[:200], endpoint) if name else None


def how_answered(answer: Asked) -> str:
    """The rung that was answered, and each step that led there."""
    steps = [str(answer.attempt.shape.rung), *answer.attempt.changes]
    return "; ".join([*steps, *(["read from the reasoning"] if answer.completion.from_reasoning else [])])

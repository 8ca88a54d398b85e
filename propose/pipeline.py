"""The stages of a run: from a plan to new candidates, by rules or by an endpoint; nothing is written here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from inventory.git import Git
from inventory.identity import admit
from inventory.records import Provenance
from inventory.redact import redact
from propose.client import Client, connect
from propose.complaints import complaint
from propose.completions import offered_models
from propose.drafts import Rejected, judge_draft
from propose.endpoint import Endpoint
from propose.exchange import Asked, Failed, Terms, ask_all, read_candidates
from propose.laws import against_laws
from propose.outcome import Outcome, Round, Settings, outcome_of, subjects_of
from propose.plan import Batch, Plan, make_batch
from propose.prompt import Prompt, ask_again, ask_for_better_laws
from propose.proof import prove
from propose.replies import Kind, Trouble
from propose.rules import propose_by_rules

_MODELS_WAIT_S = 3.0
_MOST_REASONS = 12


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
    if not done.asked:
        raise complaint(done.failed[0].trouble, endpoint, timeout_s=settings.timeout_s, models=done.models)
    return outcome_of(plan, done, endpoint, settings)


async def _ask(git: Git, plan: Plan, batch: Batch, endpoint: Endpoint, settings: Settings) -> Round:
    """Ask every prompt; those that were too long for the server are packed anew, once and smaller."""
    terms = Terms(
        asyncio.get_running_loop().time() + settings.timeout_s,
        lambda faults: ask_again(faults, settings.templates),
        settings.tell,
        settings.tick,
        read_candidates,
        lambda drafts, prompt: better_laws(drafts, prompt, endpoint, settings),
    )
    async with connect(endpoint) as client:
        results = await ask_all(client, batch.prompts, terms)
        omitted = batch.packing.omitted
        too_long = [r for r in results if isinstance(r, Failed) and r.trouble.kind is Kind.OVERFLOW]
        if too_long:
            smaller = settings.budget.smaller(too_long[0].trouble.limit)
            settings.tell(f"the prompt is too long for the server: packing again for {smaller.context} tokens")
            again = make_batch(plan, subjects_of(r.prompt for r in too_long), smaller, settings.templates)
            prove(git, plan.production, again.prompts, settings.templates)
            omitted += again.packing.omitted
            anew = await ask_all(client, again.prompts, terms)
            results = [r for r in results if r not in too_long] + (anew or list[Asked | Failed](too_long))
        models = await offered_by(client, results)
    return Round(tuple(results), omitted, models)


def better_laws(drafts: Sequence[Any], prompt: Prompt, endpoint: Endpoint, settings: Settings) -> dict[str, str] | None:
    """The message that quotes what speaks against the laws of some drafts; None where nothing does."""
    verdicts = [judge_draft(draft, prompt) for draft in drafts]
    against = [why for v in verdicts if isinstance(v, Rejected) for why in against_laws(v.reasons)]
    reasons = [redact(endpoint.scrub(why)).text for why in dict.fromkeys(against)][:_MOST_REASONS]
    return ask_for_better_laws(reasons, settings.templates) if reasons else None


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

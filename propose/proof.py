"""The proof before sending: every left-out file is held against the prompts, whatever chose what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inventory.functions import decode
from inventory.git import Git
from inventory.redact import redact
from propose.leaks import Prompted, breached
from propose.prompt import Block, Prompt, Templates, prompt_for
from propose.subjects import ProductionDiff

_SHARE_BYTES = 16 << 20


def prove(git: Git, diff: ProductionDiff, prompts: tuple[Prompt, ...], templates: Templates) -> None:
    """Raise CouldNotRun when a prompt holds anything that stands in left-out files alone."""
    if not prompts:
        return
    sources = [_source(blob) for file in diff.files if file.is_in for blob in _read(git, file.blobs)]
    shells = [_shell(prompt, templates).text for prompt in prompts]
    signatures = [s.function.present.signature for s in diff.subjects if s.function]
    hunks = [hunk.text for subject in diff.subjects for hunk in subject.hunks]
    chosen = [*sources, *signatures, *hunks]
    own = [*shells, *chosen, *(redact(text).text for text in chosen)]
    ready = Prompted.of((p.text for p in prompts), own)
    for file in diff.files:
        if not file.is_in and ready.breach(file.path, _read(git, file.blobs)) is not None:
            raise breached(file.path)


def _source(blob: bytes) -> str:
    return decode(blob) or blob.decode("utf-8", "replace")


def _read(git: Git, blobs: tuple[str, ...]) -> Iterator[bytes]:
    for blob in blobs:
        yield git.blobs([blob])[blob]


def _shell(prompt: Prompt, templates: Templates) -> Prompt:
    """The prompt without its data: our own words, the targets and the schema."""
    empty = tuple(_emptied(block) for block in prompt.blocks)
    return prompt_for(empty, prompt.ids, prompt.budget, templates)


def _emptied(block: Block) -> Block:
    return replace(block, parts=tuple(replace(part, text="") for part in block.parts))

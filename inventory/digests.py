"""Digests: of bytes, of canonical JSON (RFC 8785), of what a candidate claims, of a fixture for the lock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import rfc8785

from inventory.errors import CouldNotRun
from inventory.records import Candidate, CheckUse, Property, Tombstone

CANONICAL = "jcs:"


def sha256(data: bytes) -> str:
    """64 lower-case hex digits of the SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """The RFC 8785 form of plain JSON data.

    Raises CouldNotRun for what has no such form: NaN, infinity, integers past 2**53, lone surrogates.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError) as error:
        raise CouldNotRun(
            "this data has no canonical JSON form",
            why=str(error) or "it is nested too deeply",
            fix="Use finite numbers within 2**53 and well-formed text, or the plain digest.",
        ) from None


def canonical_digest(value: Any) -> str:
    """The SHA-256 of `canonical(value)`."""
    return sha256(canonical(value))


def claim_digest(module: str, fn: str, checks: Iterable[CheckUse], siblings: Iterable[str] = ()) -> str:
    """What a candidate claims, whatever its id, order of checks or formatting."""
    claims = b",".join(sorted(map(canonical_use, checks)))
    beside = b',"siblings":%b' % canonical(listed) if (listed := sorted(set(siblings))) else b""
    return sha256(b'{"checks":[%b],"fn":%b,"module":%b%b}' % (claims, canonical(fn), canonical(module), beside))


def claim_of(record: Candidate | Property | Tombstone) -> str:
    """The `claim_digest` of what a record claims."""
    return claim_digest(record.module, record.fn, record.checks, record.siblings)


def canonical_use(use: CheckUse) -> bytes:
    """The canonical form of one check; a name, which is ASCII, needs no more than quotes."""
    return canonical(use.claim) if use.params else b'"%b"' % use.name.encode()


def fixture_digest(data: bytes, samples: Any, *, like: str | None) -> str:
    """The lock's digest of a fixture: of its bytes, or `jcs:` and of its canonical form where `like` is one.

    `samples` is the parsed content, looked at only for the canonical form.
    """
    if like is not None and like.startswith(CANONICAL):
        return CANONICAL + canonical_digest(samples)
    return sha256(data)

"""The records that the files of an inventory hold: frozen values, without any reading or writing."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

import pathspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_serializer, model_validator

from inventory.law_syntax import parse_law

CHECKS_PATH = "invariants/checks.py"
LAW = "law"
INVENTORY_PATH = "invariants/inventory.yaml"
LOCK_PATH = "invariants/fixture.lock.json"
POLICY_PATH = "invariants/policy.yaml"
PROPOSED_DIR = "invariants/proposed"
REJECTED_DIR = "invariants/rejected"

_IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]{0,199}"


def candidate_path(candidate_id: str) -> str:
    """The file of a candidate, from the root of the repository."""
    return f"{PROPOSED_DIR}/{candidate_id}.yaml"


def _matching(pattern: str, meaning: str) -> AfterValidator:
    """A text that matches `pattern` from end to end; the fault names the rule in words."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError(f"must be {meaning}")
        return text

    return AfterValidator(check)


def _repository_path(text: str) -> str:
    parts = text.split("/")
    if not text.isprintable() or "\\" in text or any(p in ("", ".", "..") or p.lower() == ".git" for p in parts):
        raise ValueError("must be a path from the repository's root, with / and without . or .. or .git")
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be one line without control or invisible characters")
    return text


def _glob(text: str) -> str:
    """The time of a match grows with the length of the path to the power of the stars of one component."""
    if any(part.count("*") > 3 for part in text.split("/")):
        raise ValueError("must have at most three * in one component")
    try:
        pathspec.PathSpec.from_lines("gitignore", [text])
    except (ValueError, re.error):
        raise ValueError("is no pattern as a .gitignore file has them") from None
    return text


def _existing_day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("is not a day of the calendar") from None
    return text


def _moment(text: str) -> str:
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        told = datetime.min  # noqa: DTZ901  # stands for no moment at all
    if told.tzinfo is None or not 1970 <= told.year < 9999:
        raise ValueError('must be a moment since 1970 with its zone, such as "2026-01-01T00:00:00Z"')
    return text


Id = Annotated[str, _matching(r"[a-z][a-z0-9_]{2,63}", "3 to 64 of a-z, 0-9 and _, a letter first")]
DottedName = Annotated[
    str, _matching(rf"{_IDENTIFIER}(\.{_IDENTIFIER}){{0,19}}", "an ASCII Python name, dotted where needed")
]
CheckName = Annotated[str, _matching(_IDENTIFIER, "an ASCII Python name")]
Sha256 = Annotated[str, _matching(r"[0-9a-f]{64}", "64 lower-case hex digits")]
LockDigest = Annotated[str, _matching(r"(jcs:)?[0-9a-f]{64}", '64 lower-case hex digits, or "jcs:" and 64')]
Day = Annotated[str, _matching(r"\d{4}-\d\d-\d\d", "a day as YYYY-MM-DD, in quotes"), AfterValidator(_existing_day)]
RepositoryPath = Annotated[str, Field(max_length=1000), AfterValidator(_repository_path)]
Line = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_printable)]
Glob = Annotated[Line, AfterValidator(_glob)]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Isolation = Literal["process", "user", "namespace"]


class Record(BaseModel):
    """A frozen value read from a file; unknown keys are faults, and a number is never read from a text."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Role(StrEnum):
    """What kind of file a path is; `inventory.roles` decides it."""

    PRODUCTION = "production"
    TEST = "test"
    FIXTURE = "fixture"
    SNAPSHOT = "snapshot"
    CASSETTE = "cassette"
    GENERATED = "generated"
    VENDORED = "vendored"
    LOCKFILE = "lockfile"
    DOCS = "docs"
    EXAMPLE = "example"
    TOOLING = "tooling"
    ORACLE = "oracle"
    CANDIDATE = "candidate"
    UNKNOWN = "unknown"


def _not_reserved(role: Role) -> Role:
    if role in (Role.ORACLE, Role.CANDIDATE, Role.UNKNOWN):
        raise ValueError("a policy cannot give or take this role")
    return role


class Call(StrEnum):
    """How a sample becomes a call of the target for the generic checks."""

    SAMPLE = "sample"  # fn(sample)
    ARGS = "args"  # fn(*sample)
    KWARGS = "kwargs"  # fn(**sample)


class CheckUse(Record):
    """One check as a property names it: `roundtrip`, `roundtrip: {inverse: render}` or `law: "f(x) == x"`."""

    name: CheckName
    params: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, value: object) -> object:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, dict) and len(value) == 1 and "name" not in value:
            [(name, params)] = value.items()
            return {"name": name, "params": {LAW: params} if name == LAW else params}
        return value

    @model_validator(mode="after")
    def _is_law(self) -> Self:
        if self.name == LAW:
            if self.params.keys() != {LAW} or not isinstance(self.params[LAW], str):
                raise ValueError('a law is one expression, as text: law: "f(x) == x"')
            parse_law(self.params[LAW])
        return self

    @model_serializer
    def to_data(self) -> Any:
        """The form in which a file holds this use."""
        return {self.name: self.law or self.params} if self.params else self.name

    @property
    def law(self) -> str | None:
        """The text of a law; None of any other check."""
        return self.params[LAW] if self.name == LAW else None

    @property
    def claim(self) -> Any:
        """What it claims, as data: of a law without what does not count, such as white space."""
        return {self.name: parse_law(self.law).normal} if self.law else self.to_data()

    def __hash__(self) -> int:
        return hash(self.name)


class Target(Record):
    """What a property or a candidate speaks about: a function, method or static method by name."""

    module: DottedName
    fn: DottedName

    def __str__(self) -> str:
        return f"{self.module}:{self.fn}"


Siblings = Annotated[tuple[DottedName, ...], Field(max_length=10)]  # other functions of the module that laws call


class Property(Record):
    """A promoted invariant; it votes."""

    id: Id
    module: DottedName
    fn: DottedName
    seed: Seed
    fixture: RepositoryPath
    checks: Annotated[tuple[CheckUse, ...], Field(min_length=1, max_length=50)]
    siblings: Siblings = ()
    call: Call = Call.SAMPLE
    clock: Annotated[str, AfterValidator(_moment)] | None = None  # what the code under test takes for now
    nonfinite: Annotated[bool, Field(strict=True)] = False  # whether NaN and infinity may be answers
    note: str | None = Field(default=None, max_length=4000)
    promoted_from: Sha256 | None = None
    reviewed_by: Line | None = None

    @property
    def target(self) -> Target:
        return Target(module=self.module, fn=self.fn)

    @property
    def clock_ns(self) -> int | None:
        """The pinned clock in nanoseconds since 1970; None where the clock is not pinned."""
        if self.clock is None:
            return None
        since = datetime.fromisoformat(self.clock) - datetime.fromtimestamp(0, UTC)
        return since // timedelta(microseconds=1) * 1000


class Freeze(Record):
    """An exception for one (property, seed, fixture bytes) that showed noise, until a day."""

    property_id: Id
    seed: Seed
    fixture: RepositoryPath
    fixture_sha256: LockDigest | None = None  # a freeze without it is void
    reason: Line
    expires_on: Day
    repeats: tuple[Literal["red", "green"], ...] = ()


class Inventory(Record):
    """`invariants/inventory.yaml`: what votes."""

    version: Annotated[int, Field(strict=True, ge=1, le=1)] = 1
    properties: tuple[Property, ...] = ()
    freezes: tuple[Freeze, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _null_is_empty(cls, value: object) -> object:
        """`freezes:` with nothing behind it is how the article writes an empty list."""
        if isinstance(value, dict):
            return {k: () if v is None and k in ("properties", "freezes") else v for k, v in value.items()}
        return value

    def find(self, property_id: str) -> Property | None:
        return next((p for p in self.properties if p.id == property_id), None)


class NewCheck(Record):
    """A check that a proposer wishes for and nobody has written yet; never executed."""

    name: CheckName
    statement: Line


class Provenance(Record):
    """Where a candidate came from; holds no diff text and no key."""

    proposer: Literal["rules", "endpoint", "mined"]
    model_asked: Line | None = None
    model_answered: Line | None = None
    origin: Line | None = None
    response_format: Line | None = None
    prompt_sha256: Sha256 | None = None
    template_sha256: Sha256 | None = None
    diff_sha256: Sha256 | None = None
    base: Line | None = None
    head: Line | None = None


class Candidate(Record):
    """An unreviewed proposal in `invariants/proposed/`; it has no vote."""

    id: Id
    module: DottedName
    fn: DottedName
    checks: Annotated[tuple[CheckUse, ...], Field(min_length=1, max_length=20)]
    siblings: Siblings = ()
    statement: str | None = Field(default=None, max_length=2000)
    evidence: str | None = Field(default=None, max_length=4000)
    breaks_if: str | None = Field(default=None, max_length=2000)
    new_checks: Annotated[tuple[NewCheck, ...], Field(max_length=10)] = ()
    samples: Annotated[tuple[Any, ...], Field(max_length=10)] = ()
    provenance: Provenance | None = None

    @property
    def target(self) -> Target:
        return Target(module=self.module, fn=self.fn)


class Tombstone(Record):
    """`invariants/rejected/<id>--<digest12>.yaml`: a "no" that is remembered."""

    id: Id
    module: DottedName
    fn: DottedName
    checks: Annotated[tuple[CheckUse, ...], Field(min_length=1, max_length=20)]
    siblings: Siblings = ()
    reason: Line
    rejected_by: Line
    note: str | None = Field(default=None, max_length=4000)
    candidate: Candidate | None = None  # what was rejected, so that it can be reopened

    @property
    def target(self) -> Target:
        return Target(module=self.module, fn=self.fn)


class Lock(Record):
    """`invariants/fixture.lock.json`: fixture path -> digest of the bytes of its git blob."""

    entries: dict[RepositoryPath, LockDigest] = Field(default_factory=dict)


class Policy(Record):
    """`invariants/policy.yaml`: how this repository wants to be read and run."""

    roles: dict[Annotated[Role, AfterValidator(_not_reserved)], tuple[Glob, ...]] = Field(default_factory=dict)
    import_roots: tuple[RepositoryPath | Literal["."], ...] | None = None  # None: see inventory.modules.import_roots
    python: Line | None = None
    env: dict[str, str] = Field(default_factory=dict)
    repeats: Annotated[int, Field(strict=True, ge=2, le=20)] = 2
    time_limit_s: Annotated[int, Field(strict=True, ge=1, le=3600)] = 10
    memory_limit_mb: Annotated[int, Field(strict=True, ge=64, le=1 << 20)] = 2048
    fixture_max_mb: Annotated[int, Field(strict=True, ge=1, le=1024)] = 16
    freeze_max_days: Annotated[int, Field(strict=True, ge=1, le=365)] = 30
    owners: Literal["required", "optional"] = "required"
    isolation: Isolation = "process"  # the weakest level that this repository accepts

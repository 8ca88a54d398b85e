"""Where fixtures were recorded to, by function: kept in this user's cache, so that a rehearsal finds them."""

from __future__ import annotations

from inventory.git import Git
from inventory.records import Call, Target
from review.memory import Memory

_FORMAT = "1"


def remember_recording(git: Git, target: Target, path: str, call: Call) -> None:
    """Keep that the calls of a function were written to `path`, in the form that `call` names."""
    memory = Memory(git, "recordings", _FORMAT)
    memory.remember(str(target), [path, call.value])
    memory.save()


def recording_of(git: Git, target: Target) -> tuple[str, Call] | None:
    """The path and the call of what was recorded last of a function; the file may be gone since."""
    row = Memory(git, "recordings", _FORMAT).recall(str(target))
    match row:
        case [str(path), str(call)] if call in set(Call):
            return path, Call(call)
    return None

"""Which functions a patch changes, as the targets that a property could name."""

from __future__ import annotations

from gate.evidence import ChangedTarget
from inventory.functions import changed_functions
from inventory.modules import import_roots, module_of
from inventory.objects import Place
from inventory.patch import Patch, RoledChange
from inventory.records import Policy, Role, Target
from inventory.roles import is_python
from inventory.tree import Tree


def changed_targets(patch: Patch, base: Tree, head: Tree, policy: Policy) -> tuple[ChangedTarget, ...]:
    """The functions that the patch leaves changed and that can be called by name.

    A file that does not parse has none; nor has one that no import statement could name.
    """
    roots = import_roots(policy, head.entries)
    files = [c for c in patch if c.role is Role.PRODUCTION and is_python(c.path) and not c.change.is_deleted]
    old = base.read_many(c.path for c in files)
    new = head.read_many(c.path for c in files)
    return tuple(found for c in files for found in _in_file(c, roots, old.get(c.path), new.get(c.path)))


def _in_file(change: RoledChange, roots: tuple[str, ...], old: bytes | None, new: bytes | None) -> list[ChangedTarget]:
    module = module_of(change.path, roots)
    if module is None or new is None:
        return []
    present = [c.new for c in changed_functions(old, new) or () if c.new and c.new.is_callable_by_name]
    return [
        ChangedTarget(Target(module=module, fn=function.qualname), Place(change.path, function.first))
        for function in present
    ]

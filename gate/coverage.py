"""Which functions a patch changes, as the targets that a property could name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gate.evidence import ChangedTarget
from inventory.functions import changed_functions
from inventory.modules import import_roots, module_of
from inventory.objects import SUBMODULE, Change, Place
from inventory.patch import Patch, RoledChange
from inventory.records import Policy, Role, Target
from inventory.roles import is_python
from inventory.tree import Tree


def changed_targets(patch: Patch, head: Tree, policy: Policy) -> tuple[ChangedTarget, ...]:
    """The functions that the patch leaves changed and that can be called by name.

    A file that does not parse has none; nor has one that no import statement could name.
    """
    roots = import_roots(policy, head.entries)
    named = ((roled.change, module_of(roled.path, roots, head)) for roled in patch if _has_source(roled))
    files = {change: module for change, module in named if module}
    blobs = head.git.blobs(side for change in files for side in (change.old_id, change.new_id) if side)
    return tuple(found for change, module in files.items() for found in _in_file(change, module, blobs))


def _has_source(roled: RoledChange) -> bool:
    modes = (roled.change.old_mode, roled.change.new_mode)
    is_source = roled.role is Role.PRODUCTION and is_python(roled.path) and SUBMODULE not in modes
    return is_source and not roled.change.is_deleted


def _in_file(change: Change, module: str, blobs: Mapping[str, bytes]) -> Iterator[ChangedTarget]:
    for changed in changed_functions(blobs.get(change.old_id or ""), blobs.get(change.new_id or "")) or ():
        if changed.new and changed.new.is_callable_by_name:
            yield ChangedTarget(Target(module=module, fn=changed.new.qualname), Place(change.path, changed.new.first))

"""The parameters by which laws call a sample's parts: read from the tree of the oracle, never from the patch's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from inventory.functions import Function
from inventory.law_names import Scope, faults_of_names
from inventory.law_syntax import parse_law
from inventory.records import Policy, Property
from inventory.targets import Modules
from inventory.tree import Tree


class Signatures:
    """The signatures of the targets of laws, in the trees that are judged: the one that is trusted first.

    Names come from the trusted tree, so that a patch which swaps two parameters swaps nothing in what a law says.
    A later tree only has to have them, too: a law must still be readable once the patch is merged.
    """

    def __init__(self, trees: Sequence[Tree], policy: Policy, entries: Sequence[Property]) -> None:
        self._modules = [Modules(tree, policy) for tree in trees]
        for modules in self._modules:
            modules.load({entry.module for entry in entries if _laws(entry)})

    def fault_of(self, entry: Property) -> str | None:
        """Why a law of a property cannot be evaluated, in words; None where there is none, or no target left to ask."""
        for modules in self._modules if _laws(entry) else ():
            function = modules.function(entry.target)
            if function is None and modules.locate(entry.target):
                return f"law: {entry.fn} is not defined in {entry.module} itself, so its parameters are not known"
            if function and (faults := _faults(entry, function)):
                return f"law: {'; '.join(faults)} (in {modules.tree.label})"
        return None

    def parameters(self, entry: Property) -> list[dict[str, Any]] | None:
        """The parameters of the target as plain data, from the first tree that has it.

        None where no tree does, and where no law asks for them.
        """
        found = (modules.function(entry.target) for modules in self._modules if _laws(entry))
        function = next(filter(None, found), None)
        return [asdict(parameter) for parameter in function.parameters] if function else None


def _laws(entry: Property) -> list[str]:
    return [use.law for use in entry.checks if use.law]


def _faults(entry: Property, function: Function) -> tuple[str, ...]:
    scope = Scope(entry.fn, tuple(p.name for p in function.parameters), entry.siblings)
    return tuple(fault for text in _laws(entry) for fault in faults_of_names(parse_law(text), scope))

"""Where in a schema rules stand: a tree of the nodes that have rules or lead to some, which objects are walked by.

The rules of a node are compiled when the first value of it is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from crdkit.cel.openapi.data import reader
from crdkit.cel.openapi.escaping import escape
from crdkit.cel.values import Value
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.rules.compiling import OLD_SELF, Compiled, StoredEnvironments, compile_rule, types_of
from crdkit.schema.rules.described import as_resource, describe, is_visible
from crdkit.schema.structural import Structural


class Rule(NamedTuple):
    """A rule as it is written, and compiled."""

    text: JsonObject
    compiled: Compiled


class Plan:
    """A node, and the plans of those children that have rules at or below them."""

    def __init__(self, node: Structural, view: Structural, kube: KubeVersion, above: Plan | None = None, *, is_root: bool = False) -> None:
        self.node = node
        self.above = above
        self.met: set[Plan] = set() if above is None else above.met
        """The nodes whose rules have been compiled, of all the tree."""
        self.properties: dict[str, Plan] = {}
        self.items: Plan | None = None
        self.values: Plan | None = None
        self._view = view
        self._kube = kube
        self._is_root = is_root

    def nodes(self) -> Iterator[Plan]:
        """The plan itself and those below it."""
        yield self
        for below in (*self.properties.values(), self.items, self.values):
            if below is not None:
                yield from below.nodes()

    @property
    def is_empty(self) -> bool:
        """Whether there are no rules at the node or below it."""
        return not (self.node.validations or self.properties or self.items or self.values)

    @cached_property
    def way(self) -> tuple[str, ...] | None:
        """The fields that lead to the only value of the node that there can be; None if there can be several."""
        if self.above is None:
            return ()
        way, names = self.above.way, [name for name, plan in self.above.properties.items() if plan is self]
        return None if way is None or not names else (*way, *names)

    @cached_property
    def place(self) -> FieldPath:
        """The path of that value."""
        at = ROOT
        for name in self.way or ():
            at /= name
        return at

    @cached_property
    def _described(self) -> JsonObject:
        return describe(as_resource(self.node, is_root=self._is_root))

    @cached_property
    def read(self) -> Callable[[Json], Value]:
        """What makes a value of the language of JSON at this node."""
        return reader(self._described, self._kube)

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules of the node."""
        is_own = self._view is self.node or self._is_root
        types = types_of(self._described if is_own else describe(as_resource(self._view)))
        environments = StoredEnvironments(self._kube)
        rules = [Rule(rule, compile_rule(rule, self.node, types, environments)) for rule in self.node.validations]
        self.met.add(self)
        return rules

    def make_ready(self) -> None:
        """Make what a first value needs."""
        _ = self.read, self.rules

    @cached_property
    def mentions_old_self(self) -> bool:
        """Whether any rule at the node or below it may speak of oldSelf."""
        if any(OLD_SELF in rule["rule"] for rule in self.node.validations):
            return True
        return any(child is not None and child.mentions_old_self for child in (*self.properties.values(), self.items, self.values))

    @cached_property
    def knows_old_self(self) -> bool:
        """Whether expressions of the node may speak of oldSelf: only where some rule does."""
        return any(rule.compiled.uses_old_self for rule in self.rules)


def plan_rules(root: Structural, kube: KubeVersion, *, is_root: bool) -> Plan | None:
    """The plan for a node's values; None if there are no rules. ``is_root`` tells a resource."""
    return _plan(root, root, kube, is_root=is_root) if is_visible(root) else None


def _plan(node: Structural, view: Structural, kube: KubeVersion, above: Plan | None = None, *, is_root: bool = False) -> Plan | None:
    """``view`` is what the rules above see of the node; rules on values hidden from them are not run."""
    plan = Plan(node, view, kube, above, is_root=is_root)
    view = as_resource(view, is_root=is_root)
    for name, child in node.properties.items():
        seen = child if escape(name) is None else view.properties.get(name)
        if seen is not None and is_visible(seen) and (below := _plan(child, seen, kube, plan)) is not None:
            plan.properties[name] = below
    if node.items is not None and view.items is not None:
        plan.items = _plan(node.items, view.items, kube, plan)
    if node.values is not None and view.values is not None:
        plan.values = _plan(node.values, view.values, kube, plan)
    return None if plan.is_empty else plan

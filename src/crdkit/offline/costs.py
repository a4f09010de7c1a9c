"""What the rules of definitions in files may cost, and what would lower that: as data, as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Final

from crdkit.definitions import decoding
from crdkit.definitions.decoding import DecodeError
from crdkit.meta import json
from crdkit.meta.copying import copied
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.offline.checking import Input
from crdkit.offline.definition import is_definition
from crdkit.offline.documents import Document, Unreadable
from crdkit.offline.reports import counted
from crdkit.schema.rules.costs import EXPRESSION_LIMIT, SCHEMA_LIMIT
from crdkit.schema.rules.pricing import Bound, Price, Remedy, price_rules
from crdkit.schema.structural import NotStructural

_LONGEST_TEXT: Final = 72


@record
class VersionCosts:
    """The prices of one version of a definition, and where it stands; with ``error`` they could not be told."""

    file: str
    definition: str
    version: str
    prices: tuple[Price, ...] = ()
    lines: tuple[int, ...] = ()
    error: str = ""

    @property
    def total(self) -> int:
        return sum(price.total for price in self.prices)

    @property
    def is_refused(self) -> bool:
        """Whether a server would refuse the version for its rules."""
        too_dear = self.total > SCHEMA_LIMIT or any(price.total > EXPRESSION_LIMIT for price in self.prices)
        return bool(self.error) or too_dear or any(price.error for price in self.prices)


@record(frozen=False)
class Costs:
    """What was found in all files."""

    versions: list[VersionCosts] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        return any(version.is_refused for version in self.versions)


def price(inputs: Iterable[Input], kube: KubeVersion, *, advance: Callable[[], None] = lambda: None) -> Costs:
    """The costs of all definitions among what was read. ``advance`` is called after each document."""
    costs = Costs()
    for file, found in inputs:
        if isinstance(found, Unreadable):
            costs.unreadable.append(f"{file}:{found.line}: {found}")
        elif is_definition(found.value):
            costs.versions += _definition(file, found, kube)
        advance()
    return costs


def _definition(file: str, document: Document, kube: KubeVersion) -> Iterator[VersionCosts]:
    name = str((document.value.get("metadata") or {}).get("name") or "")
    try:
        definition: JsonObject = decoding.decode(copied(document.value), kube=kube).value
    except DecodeError as error:
        yield VersionCosts(file, name, "", error=str(error))
        return
    for index, version in enumerate(definition["spec"].get("versions") or ()):
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        if schema is None:
            continue
        at = (ROOT / "spec" / "versions").index(index) / "schema" / "openAPIV3Schema"
        try:
            prices = tuple(price_rules(schema, at, kube))
        except NotStructural as error:
            yield VersionCosts(file, name, version["name"], error=str(error))
        else:
            lines = tuple(document.line(str(price.at)) for price in prices)
            yield VersionCosts(file, name, version["name"], prices, lines)


# Telling them


def as_text(costs: Costs, *, all_rules: bool = False) -> str:
    """The dearest first; unless ``all_rules`` are asked for, those that cost less than a hundredth of what one may are only counted."""
    return "\n".join(line for version in costs.versions for line in _version_lines(version, all_rules=all_rules))


def _version_lines(version: VersionCosts, *, all_rules: bool) -> Iterator[str]:
    title = f"{version.file}: {version.definition} {version.version}".rstrip()
    if version.error:
        yield f"{title}: {version.error}"
        return
    if not version.prices:
        yield f"{title}: no rules"
        return
    told = f"{counted(len(version.prices), 'expression')}, {_share(version.total / SCHEMA_LIMIT)} the budget of the schema"
    yield f"{title}: {told}{' (refused)' if version.is_refused else ''}"
    ordered = sorted(zip(version.prices, version.lines, strict=True), key=lambda entry: (not entry[0].error, -entry[0].total))
    shown = [entry for entry in ordered if all_rules or entry[0].error or entry[0].share_of_rule >= 0.01]
    for price, line in shown:
        yield from _price_lines(price, line)
    if len(shown) < len(ordered):
        rest = sum(price.total for price, _ in ordered[len(shown) :])
        yield f"  {counted(len(ordered) - len(shown), 'expression')} of less than 1% each cost {_share(rest / SCHEMA_LIMIT)} the budget together"


def _price_lines(price: Price, line: int) -> Iterator[str]:
    yield f"  line {line}: {_field(price.at)}: {textwrap.shorten(price.text, _LONGEST_TEXT, placeholder=' ...')}"
    if price.error:
        yield textwrap.indent(price.error, "    ")
        return
    times = f"{price.each:,} x {price.often:,} times = " if price.often != 1 else ""
    yield (
        f"    {times}{price.total:,}: {_share(price.share_of_rule)} the budget of a rule,"
        f" {_share(price.share_of_schema)} that of the schema"
    )
    for remedy in price.remedies:
        yield f"    {_remedy(remedy, price)}"


def _remedy(remedy: Remedy, price: Price) -> str:
    names = ", ".join(f"{bound.keyword} of {_field(bound.at)}{_now(bound)}" for bound in remedy.bounds)
    if remedy.enough is not None:
        return f"would fit with {remedy.enough:,} as {names}"
    if price.total > EXPRESSION_LIMIT:
        return f"would still cost {remedy.least:,} with 1 as {names}"
    return f"most depends on {names}"


def _now(bound: Bound) -> str:
    return " (none yet)" if bound.current is None else f" (now {bound.current:,})"


def _field(at: FieldPath) -> str:
    """A place in a schema as what it means in objects: ``spec.jobs[*].name``."""
    parts: list[str] = []
    path: FieldPath | None = at
    while path is not None and path.part != ".openAPIV3Schema":
        parts.append(path.part)
        path = path.parent
    parts.reverse()
    told: list[str] = []
    for index, part in enumerate(parts):
        if part == ".x-kubernetes-validations":
            told += ["" if told else "the object", *_rule_name(parts[index + 1 :])]
            break
        if part in (".items", ".additionalProperties"):
            told.append("[*]")
        elif part != ".properties":
            told.append("." + part[1:-1])
    return "".join(told).removeprefix(".") or "the object"


def _rule_name(rest: list[str]) -> list[str]:
    index, what = rest
    return [f" {'message' if what == '.messageExpression' else 'rule'} {int(index[1:-1]) + 1}"]


def _share(share: float) -> str:
    return f"{share:.1%} of" if share < 100 else f"{share:,.0f} times"


def as_json(costs: Costs) -> str:
    """All there is to tell, for programs."""
    return json.encode([_version_json(version) for version in costs.versions]).decode()


def _version_json(version: VersionCosts) -> JsonObject:
    told: JsonObject = {"file": version.file, "definition": version.definition, "version": version.version}
    if version.error:
        return {**told, "error": version.error}
    rules = [_price_json(price, line) for price, line in zip(version.prices, version.lines, strict=True)]
    return {**told, "cost": version.total, "limit": SCHEMA_LIMIT, "refused": version.is_refused, "expressions": rules}


def _price_json(price: Price, line: int) -> JsonObject:
    told: JsonObject = {"path": str(price.at), "line": line, "text": price.text}
    if price.error:
        return {**told, "error": price.error}
    remedies = [
        {
            "bounds": [{"path": str(bound.at), "keyword": bound.keyword, "current": bound.current} for bound in remedy.bounds],
            "costWithOne": remedy.least,
            "enough": remedy.enough,
        }
        for remedy in price.remedies
    ]
    shares = {"shareOfRule": price.share_of_rule, "shareOfSchema": price.share_of_schema}
    return {
        **told,
        "each": price.each,
        "often": price.often,
        "cost": price.total,
        "limit": EXPRESSION_LIMIT,
        **shares,
        "remedies": remedies,
    }

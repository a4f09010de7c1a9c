"""Named formats: ``format.dns1123Label().validate('my-name')`` lists what is wrong, or is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from crdkit.cel.costs import Cost, Interval, fixed, quarters, tenths
from crdkit.cel.declarations import Library
from crdkit.cel.errors import no_such_overload
from crdkit.cel.types import STRING, Type, list_of, object_type, optional_of
from crdkit.cel.values import NONE, Opaque, Optional, Value, size_of
from crdkit.meta import gourl, names, textformats
from crdkit.meta.version import V1_33, V1_36, KubeVersion

LIBRARY: Final = Library("kubernetes.format")
BEFORE_1_34: Final = Library("kubernetes.format, where servers before 1.34 differ")
"""To be laid over `LIBRARY`: the wordings about labels."""

FORMAT: Final = object_type("kubernetes.NamedFormat")
Check = Callable[[str], list[str]]


class NamedFormat(Opaque):
    """A format. Checking is charged as if it matched a regular expression of ``pattern_size`` characters."""

    __slots__ = ("check", "name", "pattern_size")
    cel_type: ClassVar[Type] = FORMAT

    def __init__(self, name: str, check: Check, pattern_size: int) -> None:
        self.name = name
        self.check = check
        self.pattern_size = pattern_size

    def equals(self, other: Value) -> bool:
        """Whether both have the same name."""
        if not isinstance(other, NamedFormat):
            raise no_such_overload()
        return self.name == other.name

    def __str__(self) -> str:
        return self.name


_LONGEST_NAME: Final = 64
_LONGEST_PATTERN: Final = 128
LIBRARY.equality(FORMAT, Cost(lambda _: Interval(1, _LONGEST_NAME).scaled(0.1), fixed(1).actual))


def _prefix(check: Check) -> Check:
    """Of a name that another part is put behind: it may end in a dash."""
    return lambda text: check(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _single(holds: Callable[[str], bool], otherwise: str) -> Check:
    return lambda text: [] if holds(text) else [otherwise]


def _uri(*, strict_port: bool) -> Check:
    def check(text: str) -> list[str]:
        try:
            gourl.parse_request_uri(text, strict_port=strict_port)
        except gourl.UrlError as error:
            return [str(error)]
        return []

    return check


def _formats(kube: KubeVersion) -> dict[str, NamedFormat]:
    return {
        "dns1123Label": NamedFormat("DNS1123Label", names.dns1123_label, 30),
        "dns1123Subdomain": NamedFormat("DNS1123Subdomain", names.dns1123_subdomain, 60),
        "dns1035Label": NamedFormat("DNS1035Label", names.dns1035_label, 30),
        "qualifiedName": NamedFormat("QualifiedName", lambda text: names.label_key(text, kube), 60),
        "dns1123LabelPrefix": NamedFormat("DNS1123LabelPrefix", _prefix(names.dns1123_label), 30),
        "dns1123SubdomainPrefix": NamedFormat("DNS1123SubdomainPrefix", _prefix(names.dns1123_subdomain), 60),
        "dns1035LabelPrefix": NamedFormat("DNS1035LabelPrefix", _prefix(names.dns1035_label), 30),
        "labelValue": NamedFormat("LabelValue", lambda text: names.label_value(text, kube), 40),
        "uri": NamedFormat("URI", _uri(strict_port=kube >= V1_36), 1103),
        "uuid": NamedFormat("uuid", _single(textformats.is_uuid, "does not match the UUID format"), 70),
        "byte": NamedFormat("byte", _single(textformats.is_base64, "invalid base64"), 84),
        "date": NamedFormat("date", _single(textformats.is_date, "invalid date"), 71),
        "datetime": NamedFormat("datetime", _single(textformats.is_date_time, "invalid datetime"), 71),
    }


def _declare(library: Library, formats: dict[str, NamedFormat]) -> None:
    @library.function("format.named", (STRING,), optional_of(FORMAT), id="format-named")
    def named(name: str) -> Optional:
        found = formats.get(name)
        return NONE if found is None else Optional(found)

    for name, value in formats.items():
        _declare_constant(library, f"format.{name}", value)


def _declare_constant(library: Library, name: str, value: NamedFormat) -> None:
    @library.function(name, (), FORMAT, id=name)
    def constant() -> NamedFormat:
        return value


_declare(LIBRARY, _formats(V1_36))
_declare(BEFORE_1_34, _formats(V1_33))


def _validating(arguments: Sequence[Value], _result: Value) -> int:
    if not isinstance(arguments[0], NamedFormat):
        return 1
    return tenths(size_of(arguments[1]) + 1) * quarters(arguments[0].pattern_size)


@LIBRARY.member(
    "validate",
    (FORMAT, STRING),
    optional_of(list_of(STRING)),
    id="format-validate",
    cost=Cost(lambda site: site[1].size.scaled(0.1).scaled(_LONGEST_PATTERN * 0.25), _validating),
)
def validate(named: NamedFormat, text: str) -> Optional:
    """What is wrong with a text; none if nothing is."""
    found = named.check(text)
    return Optional(found) if found else NONE

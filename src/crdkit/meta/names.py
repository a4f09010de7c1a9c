"""What names may look like: DNS labels and subdomains, label keys and values; each check lists what is wrong with a text.

The wordings are those of apimachinery's util/validation, which tells the regular expression and examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from crdkit.meta.version import DEFAULT, KubeVersion

_REMEMBERED: Final = 4096
"""Labels' keys and values that were judged last."""

_LABEL_1123: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_1123: Final = _LABEL_1123 + r"(\." + _LABEL_1123 + ")*"
_LABEL_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE: Final = f"({_KEY_NAME})?"
_CONFIG_KEY: Final = "[-._a-zA-Z0-9]+"


def _matcher(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """Match whole texts; groups are not kept, which takes time."""
    return re.compile(pattern.replace("(", "(?:"), re.ASCII).fullmatch


_is_label_1123: Final = _matcher(_LABEL_1123)
_is_subdomain_1123: Final = _matcher(_SUBDOMAIN_1123)
_is_label_1035: Final = _matcher(_LABEL_1035)
_is_key_name: Final = _matcher(_KEY_NAME)
_is_config_key: Final = _matcher(_CONFIG_KEY)
_is_value: Final = _matcher(_VALUE)

LABEL_LIMIT: Final = 63
SUBDOMAIN_LIMIT: Final = 253

_LABEL_UNIT: Final = ((KubeVersion(1, 34), "bytes"), (KubeVersion(1, 0), "characters"))
_LABEL_KEY_NOUN: Final = ((KubeVersion(1, 34), "a valid label key"), (KubeVersion(1, 0), "a qualified name"))


def _since(table: tuple[tuple[KubeVersion, str], ...], kube: KubeVersion) -> str:
    return next(text for first, text in table if kube >= first)


def _regex_error(rule: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{rule} (e.g. {shown}regex used for validation is '{pattern}')"


def _too_long(limit: int, unit: str = "characters") -> str:
    return f"must be no more than {limit} {unit}"


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def dns1123_label(text: str) -> list[str]:
    """What keeps a text from being a label of RFC 1123, such as a namespace's name."""
    errors = [_too_long(LABEL_LIMIT)] if _size(text) > LABEL_LIMIT else []
    if not _is_label_1123(text):
        if _is_subdomain_1123(text):
            errors.append("must not contain dots")
        else:
            rule = (
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
                "and must start and end with an alphanumeric character"
            )
            errors.append(_regex_error(rule, _LABEL_1123, "my-name", "123-abc"))
    return errors


def dns1123_subdomain(text: str, unit: str = "characters") -> list[str]:
    """What keeps a text from being a subdomain of RFC 1123, such as an object's name."""
    if len(text) <= SUBDOMAIN_LIMIT and _is_subdomain_1123(text):
        return []
    errors = [_too_long(SUBDOMAIN_LIMIT, unit)] if _size(text) > SUBDOMAIN_LIMIT else []
    if not _is_subdomain_1123(text):
        rule = (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
            "and must start and end with an alphanumeric character"
        )
        errors.append(_regex_error(rule, _SUBDOMAIN_1123, "example.com"))
    return errors


def dns1035_label(text: str) -> list[str]:
    """What keeps a text from being a label of RFC 1035, such as a resource's plural name."""
    errors = [_too_long(LABEL_LIMIT)] if _size(text) > LABEL_LIMIT else []
    if not _is_label_1035(text):
        rule = (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
            "start with an alphabetic character, and end with an alphanumeric character"
        )
        errors.append(_regex_error(rule, _LABEL_1035, "my-name", "abc-123"))
    return errors


class _Known:
    """Texts that a check finds nothing wrong with: the same few come with every object. Versions differ in their words alone."""

    __slots__ = ("_check", "_found", "_limit")

    def __init__(self, check: Callable[[str, KubeVersion], list[str]], limit: int) -> None:
        """So many characters have the longest texts that are remembered."""
        self._check, self._limit = check, limit
        self._found: set[str] = set()

    def has_all(self, texts: Collection[str]) -> bool:
        """Whether there is nothing wrong with any of the texts. Wrong ones are not remembered, and no for those beyond the limit."""
        return self._found.issuperset(texts) or all(map(self._is_good, texts))

    def _is_good(self, text: str) -> bool:
        if len(text) > self._limit or self._check(text, DEFAULT):
            return False
        if len(self._found) >= _REMEMBERED:
            self._found.clear()
        self._found.add(text)
        return True


def label_key(text: str, kube: KubeVersion) -> list[str]:
    """What keeps a text from being a label's key (a qualified name): ``app`` or ``example.com/app``."""
    if _size(text) <= LABEL_LIMIT and _is_key_name(text):
        return []
    rule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
    examples = ("MyName", "my.name", "123-abc")
    parts = text.split("/")
    if len(parts) > 2:
        noun = _since(_LABEL_KEY_NOUN, kube)
        told = _regex_error(f"{noun} {rule}", _KEY_NAME, *examples)
        return [f"{told} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    errors: list[str] = []
    if len(parts) == 2:
        if not parts[0]:
            errors.append("prefix part must be non-empty")
        unit = _since(_LABEL_UNIT, kube)
        errors += [f"prefix part {message}" for message in dns1123_subdomain(parts[0], unit) if parts[0]]
    name = parts[-1]
    if not name:
        errors.append("name part must be non-empty")
    elif _size(name) > LABEL_LIMIT:
        errors.append(f"name part {_too_long(LABEL_LIMIT, _since(_LABEL_UNIT, kube))}")
    if not _is_key_name(name):
        errors.append(f"name part {_regex_error(rule, _KEY_NAME, *examples)}")
    return errors


def label_value(text: str, kube: KubeVersion) -> list[str]:
    """What keeps a text from being a label's value."""
    errors = [_too_long(LABEL_LIMIT, _since(_LABEL_UNIT, kube))] if _size(text) > LABEL_LIMIT else []
    if not _is_value(text):
        rule = (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
            "and must start and end with an alphanumeric character"
        )
        errors.append(_regex_error(rule, _VALUE, "MyValue", "my_value", "12345"))
    return errors


are_label_keys: Final = _Known(label_key, SUBDOMAIN_LIMIT + 1 + LABEL_LIMIT).has_all
"""Whether `label_key` finds nothing wrong with any of some texts."""
are_label_values: Final = _Known(label_value, LABEL_LIMIT).has_all
"""Whether `label_value` finds nothing wrong with any of some texts."""


def config_key(text: str) -> list[str]:
    """What keeps a text from being a key of a ConfigMap or Secret: the name of a file, that cannot lead out of its directory."""
    errors = [_too_long(SUBDOMAIN_LIMIT)] if _size(text) > SUBDOMAIN_LIMIT else []
    if not _is_config_key(text):
        rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        errors.append(_regex_error(rule, _CONFIG_KEY, "key.name", "KEY_NAME", "key-name"))
    if text in (".", ".."):
        errors.append(f"must not be '{text}'")
    elif text.startswith(".."):
        errors.append("must not start with '..'")
    return errors


def path_segment(text: str) -> list[str]:
    """What keeps a text from being one segment of a path, the least that is asked of any name."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{part}'" for part in ("/", "%") if part in text]

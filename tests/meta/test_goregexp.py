from __future__ import annotations

import pytest

from crdkit.meta.goregexp import fault_of


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("(", "missing closing ): `(`"),
        ("ab)", "unexpected ): `ab)`"),
        ("x[a-", "missing closing ]: `[a-`"),
        ("(?!a)", "invalid or unsupported Perl syntax: `(?!`"),
        ("(?>a)", "invalid or unsupported Perl syntax: `(?>`"),
        ("x(?<=a)b", "invalid named capture: `(?<=a)b`"),
        ("(?<!a)(?P<n>b)", "invalid named capture: `(?<!a)(?P<n>`"),
        ("(?P<n", "invalid named capture: `(?P<n`"),
        (r"\1", r"invalid escape sequence: `\1`"),
        (r"a\C", r"invalid escape sequence: `\C`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("a\\", "trailing backslash at end of expression: ``"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("(" * 1200 + ")" * 1200, f"expression nests too deeply: `{'(' * 1200 + ')' * 1200}`"),
    ],
)
def test_what_go_refuses(pattern: str, fault: str) -> None:
    assert fault_of(pattern) == f"error parsing regexp: {fault}"


@pytest.mark.parametrize("pattern", ["", "^a$", "(?P<n>a)(?P<n>b)", r"\Q\C\E", r"^\p{L}{1,1000}$", "(?i:a)", r"[\d-]", "[(]" * 1200])
def test_what_go_takes(pattern: str) -> None:
    assert fault_of(pattern) == ""

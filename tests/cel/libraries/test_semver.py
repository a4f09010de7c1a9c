from __future__ import annotations

import pytest

from crdkit.cel.environment import environment
from crdkit.meta.version import V1_33
from tests.cel.language import cost, evaluated, failure, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))", True),
        ("semver('v1.02', true) == semver('1.2.0+build')", True),
        ("semver('1.2.3').compareTo(semver('1.2.3'))", 0),
        ("semver('1.2.3').major() * 100 + semver('1.2.3').minor() * 10 + semver('1.2.3').patch()", 123),
        ("isSemver('1.2.3') && !isSemver('1.2') && isSemver('1.2', true) && !isSemver('1.2', false)", True),
        ("semver('18446744073709551615.0.0').major()", -1),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


def test_errors() -> None:
    assert failure("semver('1.2')")[0] == "No Major.Minor.Patch elements found"


def test_it_came_with_1_33_for_stored_rules() -> None:
    assert "undeclared reference to 'semver'" in refusal("semver('1.2.3')", V1_33)
    assert environment(V1_33, stored=True).compile("isSemver('1.2.3')", {}).program().evaluate({})[0] is True


def test_costs() -> None:
    assert cost("semver('1.2.3-alpha.1')") == 2

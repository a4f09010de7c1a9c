from __future__ import annotations

import pytest

from crdkit.cel.errors import ProgramError
from tests.cel.language import compiled, cost, evaluated, failure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'abc 123'.find('[0-9]+')", "123"),
        ("'abc'.find('[0-9]' + '+')", ""),
        ("'1 and 2'.findAll('[0-9]')", ["1", "2"]),
        ("'1 and 2'.findAll('[0-9]', 1)", ["1"]),
        ("'1 and 2'.findAll('[0-9' + ']', 0)", []),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


def test_a_broken_literal_refuses_the_program() -> None:
    with pytest.raises(ProgramError, match=r"^error parsing regexp: missing closing \): `\(`$"):
        compiled("'a'.find('(')").program()


def test_a_broken_pattern_fails_the_evaluation() -> None:
    assert failure("'a'.find('(' + '')")[0] == "Illegal regex: error parsing regexp: missing closing ): `(`"


def test_a_prepared_search_says_less_of_wrong_kinds() -> None:
    assert failure("dyn(1).find('a')")[0] == "no such overload"
    assert failure("dyn(1).find('a' + '')")[0] == "no such overload: find(int, string)"


def test_the_cost_is_that_of_matching() -> None:
    assert cost(f"'{'a' * 99}'.find('{'b' * 8}')") == 20

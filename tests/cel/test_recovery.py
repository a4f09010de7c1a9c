from __future__ import annotations

import pytest

from tests.cel.language import refusal

START = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
ARGUMENTS = START.replace("'(', ", "'(', ')', ")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", [f"1:1: Syntax error: mismatched input '<EOF>' expecting {START}"]),
        ("1 +", [f"1:4: Syntax error: mismatched input '<EOF>' expecting {START}"]),
        ("1 2", ["1:3: Syntax error: extraneous input '2' expecting <EOF>"]),
        ("1 2 3", ["1:3: Syntax error: mismatched input '2' expecting <EOF>"]),
        ("(1", ["1:3: Syntax error: missing ')' at '<EOF>'"]),
        ("[1, 2", ["1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"]),
        ("{'a'}", ["1:5: Syntax error: mismatched input '}' expecting ':'"]),
        ("{'a':1,,}", ["1:8: Syntax error: extraneous input ',' expecting '}'"]),
        ("f(,)", [f"1:3: Syntax error: extraneous input ',' expecting {ARGUMENTS}"]),
        ("a..b", ["1:3: Syntax error: no viable alternative at input '..'"]),
        ("a.true", ["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]),
        ("a.?1", ["1:4: Syntax error: mismatched input '1' expecting {IDENTIFIER, ESC_IDENTIFIER}", "1:4: unsupported ident kind"]),
        ("== a", [f"1:1: Syntax error: extraneous input '==' expecting {START}"]),
        ("a ? b ? 1 : 2 : 3", ["1:7: Syntax error: mismatched input '?' expecting ':'"]),
        (
            "-",
            ["1:2: Syntax error: no viable alternative at input '-'", f"1:2: Syntax error: mismatched input '<EOF>' expecting {START}"],
        ),
    ],
)
def test_unexpected_missing_and_unfit_tokens(text: str, messages: list[str]) -> None:
    lines = [line.removeprefix("ERROR: <input>:") for line in refusal(text).split("\n") if line.startswith("ERROR")]
    assert lines == messages


def test_a_macro_refuses_what_could_not_be_read_before_the_first_character() -> None:
    assert refusal("has(..a)").split("\n")[:3] == ["ERROR: <input>:1:0: invalid argument to has() macro", " | has(..a)", " | ^"]


def test_the_sound_parts_are_judged_as_well() -> None:
    assert refusal("as + (").split("\n")[::3] == [
        "ERROR: <input>:1:1: reserved identifier: as",
        f"ERROR: <input>:1:7: Syntax error: mismatched input '<EOF>' expecting {START}",
    ]


def test_recovering_is_given_up_in_the_end() -> None:
    assert "error recovery attempt limit exceeded: 30" in refusal("+".join(["(1 2)"] * 31))

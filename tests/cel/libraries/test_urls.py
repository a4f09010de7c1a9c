from __future__ import annotations

import pytest

from crdkit.cel.environment import environment
from crdkit.meta.version import V1_33
from tests.cel.language import compiled, cost, evaluated, failure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("url('https://[::1]:80/a?b=c').getHost()", "[::1]:80"),
        ("url('https://[::1]:80/a?b=c').getHostname()", "::1"),
        ("url('https://[::1]:80/a?b=c').getPort()", "80"),
        ("url('HTTPS://a').getScheme()", "https"),
        ("url('https://a/b c').getEscapedPath()", "/b%20c"),
        ("url('/a?b=c&b=d').getQuery()", {"b": ["c", "d"]}),
        ("isURL('/a') && !isURL('a')", True),
        ("url('http://a') == url('HTTP://a')", True),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


def test_errors() -> None:
    text = 'URL parse error during conversion from string: parse "a": invalid URI for request'
    assert failure("url('a')")[0] == text
    assert failure("dyn(url('/a')) == dyn(1)")[0] == "no such overload"


def test_a_second_port_was_part_of_the_name_before() -> None:
    text = "isURL('http://h:80:90/')"
    assert evaluated(text) is False
    assert environment(V1_33).compile(text, {}).program().evaluate({})[0] is True


def test_costs() -> None:
    assert cost(f"url('/{'a' * 99}')") == 10
    assert cost("url('/a') == url('/b')") == 3
    assert compiled(f"url('/a') == url('/{'b' * 99}')").estimate() == (12, 21)

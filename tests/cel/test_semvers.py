from __future__ import annotations

import pytest

from crdkit.cel.semvers import SemverError, parse, parse_normalized

ORDERED = ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"]


def test_order() -> None:
    for index, text in enumerate(ORDERED):
        for other_index, other in enumerate(ORDERED):
            assert parse(text).compare(parse(other)) == (index > other_index) - (index < other_index)


def test_the_build_is_kept_but_of_no_account() -> None:
    assert parse("1.2.3+b.01").equals(parse("1.2.3"))
    assert str(parse("1.2.3-rc.1+b.01")) == "1.2.3-rc.1+b.01"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Version string empty"),
        ("1.2", "No Major.Minor.Patch elements found"),
        ("v1.2.3", 'Invalid character(s) found in major number "v1"'),
        ("1.02.3", 'Minor number must not contain leading zeroes "02"'),
        ("1.2.", 'strconv.ParseUint: parsing "": invalid syntax'),
        ("1.2.18446744073709551616", 'strconv.ParseUint: parsing "18446744073709551616": value out of range'),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.2.3-a_b", 'Invalid character(s) found in prerelease "a_b"'),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3+a_b", 'Invalid character(s) found in build meta data "a_b"'),
    ],
)
def test_what_is_none(text: str, why: str) -> None:
    with pytest.raises(SemverError) as refused:
        parse(text)
    assert str(refused.value) == why


@pytest.mark.parametrize(("text", "written"), [("v1", "1.0.0"), ("01.002", "1.2.0"), ("v1.2.03-rc", "1.2.3-rc"), ("0.00.0", "0.0.0")])
def test_what_can_be_made_one(text: str, written: str) -> None:
    assert str(parse_normalized(text)) == written


def test_a_number_that_is_none_is_told_with_a_zero_where_it_has_two_bytes() -> None:
    with pytest.raises(SemverError) as refused:
        parse_normalized("é")
    assert str(refused.value) == 'Invalid character(s) found in major number "0é"'


def test_a_short_version_has_no_prerelease() -> None:
    with pytest.raises(SemverError, match=r"^short version cannot contain PreRelease/Build meta data$"):
        parse_normalized("1.2-rc")

from __future__ import annotations

from crdkit.meta.textformats import is_base64, is_date, is_date_time, is_uuid


def test_base64_is_padded() -> None:
    assert is_base64("aGVsbG8=")
    assert not is_base64("aGVsbG8")
    assert not is_base64("")


def test_uuids_may_go_without_dashes() -> None:
    assert is_uuid("123E4567-e89b-12d3-a456-426614174000")
    assert is_uuid("123e4567e89b12d3a456426614174000")
    assert not is_uuid("123e4567")


def test_days_are_those_of_the_calendar() -> None:
    assert is_date("2024-02-29")
    assert not is_date("2023-02-29")


def test_times_have_a_zone() -> None:
    assert is_date_time("2021-01-01T00:00:00.123+01:00")
    assert not is_date_time("2021-01-01T00:00:00")

"""Answers that are refusals, and the words for them."""

from __future__ import annotations

import pytest

from crdkit.meta.offload import SMALL_JSON, SMALL_YAML
from crdkit.webhooks import answers
from crdkit.webhooks.address import Address
from crdkit.webhooks.answers import ask
from crdkit.webhooks.caller import Answer, CallFailed
from tests.threads import threads_of


class Double:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        return self.answer


async def words(answer: Answer) -> str:
    with pytest.raises(CallFailed) as failed:
        await ask(Double(answer), Address("h"), b"{}", seconds=1)
    return str(failed.value)


@pytest.mark.parametrize("status", [200, 201, 204, 206])
async def test_all_that_is_success(status):
    assert await ask(Double(Answer(b"x", status)), Address("h"), b"{}", seconds=1) == b"x"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (302, "the server responded with the status code 302 but did not return more information"),
        (400, "the server rejected our request for an unknown reason"),
        (401, "the server has asked for the client to provide credentials"),
        (403, "unknown"),
        (404, "the server could not find the requested resource"),
        (405, "the server does not allow this method on the requested resource"),
        (406, "the server was unable to respond with a content type that the client supports"),
        (409, "the server reported a conflict"),
        (418, "the server responded with the status code 418 but did not return more information"),
        (422, "the server rejected our request due to an error in our request"),
        (429, "the server has received too many requests and has asked us to try again later"),
        (500, 'an error on the server ("unknown") has prevented the request from succeeding'),
        (503, "the server is currently unable to handle the request"),
        (504, "the server was unable to return a response in the time allotted, but may still be processing the request"),
    ],
)
async def test_a_status_code_alone(status, told):
    assert await words(Answer(b"{}", status)) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(b" oh no\n", 500, "text/plain"), 'an error on the server ("oh no") has prevented the request from succeeding'),
        (Answer(b"x" * 3000, 500, ""), f'an error on the server ("{"x" * 2048}") has prevented the request from succeeding'),
        (Answer(b"no entry", 403, "text/plain; charset=utf-8"), "no entry"),
        (Answer(b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"why"}', 418), "why"),
        (Answer(b'{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict"}', 409), ""),
        (Answer(b"kind: Status\nstatus: Failure\nmessage: why", 500), "why"),
        (
            Answer(b'{"kind":"Status","apiVersion":"v1","status":"Success","message":"why"}', 500),
            'an error on the server ("unknown") has prevented the request from succeeding',
        ),
        (Answer(b'{"kind":"Pod","status":"Failure"}', 500), 'an error on the server ("unknown") has prevented the request from succeeding'),
        (
            Answer(b'{"status":"Failure","message":"why"}', 500),
            'an error on the server ("unknown") has prevented the request from succeeding',
        ),
        (Answer(b'{"kind":"Status","apiVersion":"foo/v1","status":"Failure","message":"why"}', 500), "why"),
        (Answer(b"", 415, "text/plain"), ""),
        (Answer(b"", 406, "text/plain"), "the server was unable to respond with a content type that the client supports"),
        (Answer(b"", 200, ""), "0-length response with status code: 200 and content type: application/json"),
        (Answer(b"", 200, "text/html"), "0-length response with status code: 200 and content type: text/html"),
    ],
)
async def test_what_a_body_adds(answer, told):
    assert await words(answer) == told


async def test_a_long_refusal_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = threads_of(monkeypatch, answers, "read_document")
    for size, told in (
        (SMALL_JSON, '{"kind":"Status","message":"%s","status":"Failure"}'),
        (SMALL_YAML, "kind: Status\nstatus: Failure\nmessage: %s"),
    ):
        for message in ("short", "x" * size):
            assert await words(Answer((told % message).encode(), 500)) == message
    assert threads == [True, False, True, False]

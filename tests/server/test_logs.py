"""The access log and the audit log."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest

from crdkit.access.user import User
from crdkit.cli.main import main
from crdkit.registry.request import Query
from crdkit.server.accesslog import AccessLog
from crdkit.server.askers import Asker, askers, lines_of
from crdkit.server.auditlog import AuditLog
from crdkit.server.exchange import Exchange
from crdkit.server.linewriter import LineWriter, TurningFile
from crdkit.server.message import Headers, Incoming
from crdkit.server.requestinfo import parse
from tests.server.conftest import KITES

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")


def exchange(path: str = f"{KITES}/a", agent: bytes = b"kubectl/v1.36.0 (linux/amd64)", query: str = "") -> Exchange:
    headers = Headers([(b"user-agent", agent), (b"audit-id", b"1-2-3")])
    found = Exchange(Incoming("GET", path, Query.parse(query), headers, address="10.0.0.1"))
    found.info, found.user = parse("GET", path, found.incoming.query), User("alice", ("dev", "ops"), "7")
    return found


def test_a_line_tells_who_asked_for_what_and_how_that_went(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    log = AccessLog()
    log.note(exchange(agent=b"curl 8"), 200, 0.0123)
    log.note(exchange("/version", agent=b'two words\n"\xff'), 403, 0.5)
    log.close()
    lines = TIME.sub("<time>", capfdbinary.readouterr().err.decode()).splitlines()
    assert lines == [
        '<time> user=alice agent="curl 8" verb=get resource=kites.example.com object=default/a version=v1 code=200 ms=12.3 audit-id=1-2-3',
        '<time> user=alice agent="two words\\n\\"\\ufffd" verb=get resource=/version object="" version="" code=403 ms=500.0 audit-id=1-2-3',
    ]


def test_an_event_tells_a_request_at_the_level_of_metadata(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    log = AuditLog(path)
    asked = exchange(query="watch=1&fieldSelector=metadata.name%3Da")
    asked.acts_as = User("bob")
    asked.refusal = {"status": "Failure", "message": "no", "reason": "Forbidden"}
    log.note(asked, 403, 0.25)
    log.close()
    (event,) = [json.loads(line) for line in path.read_text().splitlines()]
    received, answered = event.pop("requestReceivedTimestamp"), event.pop("stageTimestamp")
    assert TIME.fullmatch(received)
    assert received < answered
    assert event == {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": "Metadata",
        "auditID": "1-2-3",
        "stage": "ResponseComplete",
        "requestURI": f"{KITES}/a?watch=1&fieldSelector=metadata.name%3Da",
        "verb": "get",
        "user": {"username": "alice", "uid": "7", "groups": ["dev", "ops"]},
        "impersonatedUser": {"username": "bob"},
        "sourceIPs": ["10.0.0.1"],
        "userAgent": "kubectl/v1.36.0 (linux/amd64)",
        "objectRef": {"resource": "kites", "namespace": "default", "name": "a", "apiGroup": "example.com", "apiVersion": "v1"},
        "responseStatus": {"metadata": {}, "status": "Failure", "message": "no", "reason": "Forbidden", "code": 403},
    }
    assert path.stat().st_mode & 0o077 == 0


def test_what_does_not_fit_is_counted_and_dropped() -> None:
    goes_on, began = threading.Event(), threading.Event()

    def write(data: bytes) -> None:
        began.set()
        goes_on.wait(5)

    writer: LineWriter[bytes] = LineWriter(write, lambda line: line, most=2)
    writer.put(b"written\n")
    assert began.wait(5)
    for _ in range(5):
        writer.put(b"more\n")
    assert writer.dropped == 3
    goes_on.set()
    writer.close()


def test_a_full_disk_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    written: list[bytes] = []

    def write(data: bytes) -> None:
        if not written:
            written.append(b"")
            raise OSError(28, "No space left on device")
        written.append(data)

    writer: LineWriter[bytes] = LineWriter(write, lambda line: line)
    writer.put(b"lost\n")
    while not writer.dropped:
        pass
    writer.put(b"kept\n")
    writer.close()
    assert (writer.dropped, b"".join(written)) == (1, b"kept\n")
    assert caplog.messages == ["lines of a log could not be written: [Errno 28] No space left on device"]


def test_a_large_file_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "log"
    file = TurningFile(path, largest=10)
    for line in (b"one\n", b"two\n", b"three\n", b"four\n", b"five\n"):
        file.write(line)
    assert (path.read_bytes(), (tmp_path / "log.1").read_bytes()) == (b"four\nfive\n", b"three\n")
    assert b"".join(lines_of(path)) == b"three\nfour\nfive\n"


def log_of(path: Path) -> Path:
    log = AuditLog(path)
    for version, agent in (("v1", b"kopf/1.38"), ("v1beta1", b"old/0.1"), ("v1beta1", b"old/0.1"), ("v1beta1", b"kubectl/1.30")):
        log.note(exchange(f"/apis/example.com/{version}/namespaces/default/kites/a", agent=agent), 200, 0.001)
    log.note(exchange("/apis/example.com/v1/namespaces/default/boats/a"), 200, 0.001)
    log.close()
    return path


def test_the_audit_log_tells_who_asks_for_which_version(tmp_path: Path) -> None:
    path = log_of(tmp_path / "audit.log")
    bad = [b'{"half": "example.com', b"[]\n", b'{"kind":"Event","apiVersion":"audit.k8s.io/v1","half":\n', b"\xff\n", b'{"kind":"Event"}\n']
    found, events, unread = askers([*lines_of(path), *bad, b"\n"], "example.com", "kites")
    assert (events, unread) == (5, len(bad))
    assert askers(lines_of(path), "example.org", "kites") == ([], 5, 0)
    assert [(one.version, one.user, one.agent, one.requests) for one in found] == [
        ("v1", "alice", "kopf/1.38", 1),
        ("v1beta1", "alice", "old/0.1", 2),
        ("v1beta1", "alice", "kubectl/1.30", 1),
    ]
    assert all(TIME.fullmatch(one.last) for one in found)
    assert isinstance(found[0], Asker)


def test_the_command_prints_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = log_of(tmp_path / "audit.log")
    main(["versions", "kites.example.com", "--audit-log-path", str(path)], standalone_mode=False)
    told = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "<time>             ", capsys.readouterr().out)
    assert told.splitlines() == [
        "VERSION  REQUESTS  LAST                 USER   AGENT",
        "v1       1         <time>               alice  kopf/1.38",
        "v1beta1  2         <time>               alice  old/0.1",
        "v1beta1  1         <time>               alice  kubectl/1.30",
    ]
    main(["versions", "boats.example.com", "--audit-log-path", str(path), "--json"], standalone_mode=False)
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["version"], one["requests"]) == ("v1", 1)


def test_the_command_tells_what_it_could_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = log_of(tmp_path / "audit.log")
    with path.open("ab") as file:
        file.write(b'{"kind":"Eve')
    main(["versions", "ferries.example.com", "--audit-log-path", str(path)], standalone_mode=False)
    assert capsys.readouterr().err.splitlines() == [
        f"{path}: 1 line could not be read.",
        f"{path} tells of nobody who asked for ferries.example.com.",
    ]


@pytest.mark.parametrize("content", [b"", b"# A page\n\nof example.com\n", bytes(range(256)) * 9])
def test_what_is_no_audit_log_tells_of_nobody_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (tmp_path / "page").write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main(["versions", "ferries.example.com", "--audit-log-path", str(tmp_path / "page")], standalone_mode=False)
    assert (ended.value.code, capsys.readouterr().err) == (2, f"crdkit: {tmp_path}/page holds no audit events\n")

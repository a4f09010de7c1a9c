"""Objects as they stand in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdkit.offline import documents
from crdkit.offline.documents import Document, NoInput, Unreadable


def scanned(text: str, file: str = "a.yaml") -> list[Document]:
    found = list(documents.scan_text(text.encode(), file))
    assert all(isinstance(one, Document) for one in found), found
    return [one for one in found if isinstance(one, Document)]


def told(text: str, file: str = "a.yaml") -> list[tuple[str, int]]:
    return [(str(one), one.line) for one in documents.scan_text(text.encode(), file) if isinstance(one, Unreadable)]


def test_documents_know_their_lines() -> None:
    first, second = scanned("# one\nkind: A\nspec:\n  a: 1\n--- # two\n\nkind: B\nspec:\n  - b\n  - c: 1\n")
    assert [first.value["kind"], second.value["kind"]] == ["A", "B"]
    assert [first.line(), first.line("kind"), first.line("spec.a"), first.line("spec.gone.deep")] == [2, 2, 4, 3]
    assert [second.line(), second.line("spec[1].c"), second.line("spec[7]")] == [7, 10, 8]


def test_empty_documents_are_passed_over() -> None:
    assert [one.value for one in scanned("---\n---\n# nothing\n---\na: 1\n---\n")] == [{"a": 1}]


def test_windows_lines_separate_too() -> None:
    assert [one.value for one in scanned("a: 1\r\n---\r\nb: 2\r\n")] == [{"a": 1}, {"b": 2}]


def test_lists_are_taken_apart() -> None:
    text = "kind: List\napiVersion: v1\nitems:\n- kind: A\n  spec: {a: 1}\n- kind: B\n  spec:\n    b: 1\n"
    first, second = scanned(text)
    assert [first.value["kind"], second.value["kind"]] == ["A", "B"]
    assert [first.line(), first.line("spec.a"), second.line(), second.line("spec.b")] == [4, 5, 6, 8]


def test_items_of_a_typed_list_need_not_tell_their_kind() -> None:
    (item,) = scanned('{"kind": "CronTabList", "apiVersion": "example.com/v1", "items": [{"metadata": {"name": "a"}}]}')
    assert item.value == {"kind": "CronTab", "apiVersion": "example.com/v1", "metadata": {"name": "a"}}


def test_json_knows_its_lines() -> None:
    text = '{\n  "kind": "List",\n  "items": [\n    {"kind": "A"},\n    {\n      "kind": "B",\n      "spec": {"a.b": 1}\n    }\n  ]\n}'
    first, second = scanned(text, "a.json")
    assert [first.line("kind"), second.line("kind"), second.line("spec.a.b")] == [4, 6, 7]


def test_json_values_may_follow_each_other() -> None:
    first, second = scanned('{"kind": "A"}\n{"kind": "B",\n "spec": {}}\n', "a.json")
    assert [first.value["kind"], second.value["kind"], second.line("spec")] == ["A", "B", 3]


def test_yaml_that_begins_like_json_is_yaml() -> None:
    assert [one.value for one in scanned("{kind: A, list: [x]}\n---\nkind: B\n")] == [{"kind": "A", "list": ["x"]}, {"kind": "B"}]


def test_a_document_that_cannot_be_read_does_not_hide_the_others() -> None:
    text = "kind: A\n---\nkind: [\n---\nkind: B\n---\n- a\n"
    assert [one.value for one in documents.scan_text(text.encode(), "a") if isinstance(one, Document)] == [{"kind": "A"}, {"kind": "B"}]
    first, second = told(text)
    assert first == ("yaml: did not find expected node content", 3)
    assert second == ('not an object: ["a"]', 7)


def test_json_that_cannot_be_read_is_told() -> None:
    assert told('{"kind": }', "a.json") == [("json parse error: invalid character '}' looking for beginning of value", 1)]


def test_what_is_there_twice_is_told_with_its_line() -> None:
    (in_yaml,) = scanned("kind: A\nspec:\n  a: 1\n  a: 2\n")
    assert [(twice.text, twice.line) for twice in in_yaml.twice] == [('key "a" already set in map', 4)]
    (in_json,) = scanned('{"spec": {\n"a": 1,\n"a": 2}}', "a.json")
    assert [twice.text for twice in in_json.twice] == ['duplicate field "spec.a"']


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.yaml", "a.yml", "sub/c.json", "notes.txt", ".git/d.yaml"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("{}")
    return tmp_path


def test_a_folder_stands_for_its_manifests(folder: Path) -> None:
    assert documents.files([str(folder)]) == [str(folder / name) for name in ("a.yml", "b.yaml", "sub/c.json")]


def test_a_pattern_stands_for_what_it_matches(folder: Path) -> None:
    assert documents.files([f"{folder}/**/*.json", f"{folder}/*.yaml"]) == [str(folder / "sub/c.json"), str(folder / "b.yaml")]


def test_a_file_named_twice_is_read_once(folder: Path) -> None:
    assert documents.files([f"{folder}/b.yaml", f"{folder}/b.yaml"]) == [str(folder / "b.yaml")]


def test_nothing_to_read_is_told(folder: Path) -> None:
    with pytest.raises(NoInput, match=r"the path .*gone.yaml does not exist"):
        documents.files([f"{folder}/gone.yaml"])
    (folder / "empty").mkdir()
    with pytest.raises(NoInput, match=r"no YAML or JSON files in .*empty"):
        documents.files([f"{folder}/empty"])

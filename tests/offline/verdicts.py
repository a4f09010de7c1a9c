"""What real API servers said to public definitions and objects, beside what the library says of them.

``python -m tests.offline.verdicts`` prints where they differ. Each project's objects were asked with dryRun=All and fieldValidation=Warn.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crdkit.definitions import decoding
from crdkit.meta import yaml
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.offline.definition import Definition, judge_definition
from crdkit.offline.verdict import Verdict

FOLDER = Path(os.environ.get("SHARED", Path(__file__).parents[3] / "shared")) / "crds"


@dataclass
class Difference:
    where: str
    recorded: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.where}\n  real: {json.dumps(self.recorded)}\n  ours: {json.dumps(self.ours)}"


@dataclass
class Tally:
    definitions: int = 0
    objects: int = 0
    same_code: int = 0


def recorded(kube: KubeVersion = DEFAULT) -> dict[str, Any]:
    projects: dict[str, Any] = json.loads((FOLDER / f"verdicts-{kube}.json").read_text())["projects"]
    return projects


def compare(project: str, record: dict[str, Any], kube: KubeVersion, tally: Tally) -> Iterator[Difference]:
    definitions: dict[tuple[str, str], Definition] = {}
    for name, wanted in record["definitions"].items():
        verdict = judge_definition(yaml.decode((FOLDER / project / "crds" / name).read_bytes())[0], kube)
        tally.definitions += 1
        yield from _differences(f"{project}/{name}", wanted, verdict, tally)
        if verdict.object is not None:
            spec = _digest(decoding.written(verdict.object, kube=kube)["spec"])
            if spec != wanted.get("spec"):
                yield Difference(f"{project}/{name}: stored spec", wanted.get("spec"), spec)
            found = Definition.accepted(verdict, kube)
            definitions[found.group, found.kind] = found
    for name, wanted in record["objects"].items():
        if wanted["code"] == 0:
            continue
        obj = _as_sent(yaml.decode((FOLDER / project / "objects" / name).read_bytes())[0])
        tally.objects += 1
        definition = definitions.get((obj["apiVersion"].rpartition("/")[0], obj["kind"]))
        if definition is None:
            yield Difference(f"{project}/{name}", wanted, "no definition")
            continue
        if definition.namespaced:
            obj["metadata"]["namespace"] = f"crds-{project}"
        yield from _differences(f"{project}/{name}", wanted, definition.admit(obj), tally)


def _digest(value: Any) -> str:
    """How stored specs were recorded."""
    text = json.dumps(_as_sent(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _as_sent(value: Any) -> Any:
    """The one who asked wrote whole numbers as such, also those that YAML gives with an exponent."""
    if isinstance(value, dict):
        return {key: _as_sent(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_sent(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _differences(where: str, wanted: dict[str, Any], verdict: Verdict, tally: Tally) -> Iterator[Difference]:
    if wanted["code"] == 500 and "conversion webhook" in wanted["message"]:
        return  # without a webhook that answers, the answer is about the webhook
    tally.same_code += wanted["code"] == verdict.code
    real, ours = _told(wanted), _said(verdict)
    yield from (Difference(f"{where}: {key}", real[key], ours[key]) for key in real if real[key] != ours[key])


def _told(wanted: dict[str, Any]) -> dict[str, Any]:
    causes = [f"{cause.get('field', '')}: {cause['message']} ({cause['reason']})" for cause in wanted.get("causes") or ()]
    return {
        "code": wanted["code"],
        "causes": sorted(set(causes)),
        "message": "" if causes or wanted["code"] == 404 else wanted.get("message", ""),
        "warnings": sorted(wanted.get("warnings", ())),
        "object": _plain(wanted.get("object")),
    }


def _said(verdict: Verdict) -> dict[str, Any]:
    causes = [f"{error.path}: {error.message} ({error.reason})" for error in verdict.errors if error.path and verdict.code != 404]
    return {
        "code": verdict.code,
        "causes": sorted(set(causes)),
        "message": "" if causes or verdict.code == 404 else verdict.message,
        "warnings": sorted(verdict.warnings),
        "object": None if verdict.object is None or verdict.object["kind"] == "CustomResourceDefinition" else _plain(verdict.object),
    }


def _plain(obj: Any) -> Any:
    if obj is None:
        return None
    obj = json.loads(json.dumps(obj))
    if "generateName" in obj["metadata"]:
        obj["metadata"].pop("name", None)
    return obj


def main() -> None:
    kube = KubeVersion.parse(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    tally = Tally()
    for project, record in recorded(kube).items():
        for difference in compare(project, record, kube, tally):
            print(difference)
    print(tally)


if __name__ == "__main__":
    main()

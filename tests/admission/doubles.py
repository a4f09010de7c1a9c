"""Webhooks without a network, and the objects that say whom to ask."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crdkit.webhooks.address import Address
from crdkit.webhooks.caller import Answer, CallFailed

Json = Any
Respond = Callable[[Json], Json]
"""Makes of a review's request what the webhook responds, beside the request's uid."""

GROUP = "example.com"
HOOK = "check.example.com"
KILNS = {"apiGroups": [GROUP], "apiVersions": ["v1"], "operations": ["*"], "resources": ["kilns"]}


@dataclass
class Hooks:
    """Webhooks by the path of their URL. ``asked`` has the reviews, ``seconds`` how long each was given."""

    responses: dict[str, Respond] = field(default_factory=dict)
    asked: list[Json] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        review = json.loads(body)
        self.asked.append(review)
        self.paths.append(address.path)
        self.seconds.append(seconds)
        response = self.responses[address.path](review["request"])
        if isinstance(response, CallFailed):
            raise response
        if isinstance(response, bytes):
            return Answer(response)
        answer = {"apiVersion": review["apiVersion"], "kind": review["kind"]}
        if response is not None:
            answer["response"] = {"uid": review["request"]["uid"], **response}
        return Answer(json.dumps(answer).encode())

    @property
    def requests(self) -> list[Json]:
        return [review["request"] for review in self.asked]


def allow(_: Json) -> Json:
    return {"allowed": True}


def deny(message: str = "no", **status: Json) -> Respond:
    return lambda _: {"allowed": False, "status": {"message": message, **status}}


def respond(**response: Json) -> Respond:
    return lambda _: {"allowed": True, **response}


def patch(*operations: Json, **response: Json) -> Respond:
    """Allowed, with a JSON patch; a response's own parts count more."""
    text = base64.b64encode(json.dumps(list(operations)).encode()).decode()
    return lambda _: {"allowed": True, "patchType": "JSONPatch", "patch": text, **response}


def add(path: str, value: Json) -> Json:
    return {"op": "add", "path": path, "value": value}


def trace(name: str) -> Respond:
    """Appends a name to the object's ``spec.trace``."""

    def run(request: Json) -> Json:
        seen = request["object"]["spec"].get("trace", [])
        return patch(add("/spec/trace", [*seen, name]))(request)

    return run


def webhook(path: str = "/check", name: str = HOOK, **fields: Json) -> Json:
    return {
        "name": name,
        "clientConfig": {"url": f"https://hooks.example{path}"},
        "rules": [KILNS],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        **fields,
    }


def configuration(*webhooks: Json, kind: str = "Validating", name: str = "c") -> Json:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": list(webhooks or (webhook(),)),
    }


def policy(*validations: Json, kind: str = "Validating", name: str = "p", **spec: Json) -> Json:
    """A policy about kilns; a validation is an expression, or all of it."""
    judged = [{"expression": validation} if isinstance(validation, str) else validation for validation in validations]
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}AdmissionPolicy",
        "metadata": {"name": name},
        "spec": {"matchConstraints": {"resourceRules": [KILNS]}, **({"validations": judged} if judged else {}), **spec},
    }


def mutating(*mutations: Json, name: str = "p", **spec: Json) -> Json:
    """A policy that changes kilns: expressions of objects, or JSON patches (lists)."""
    written = [
        {"patchType": "JSONPatch", "jsonPatch": {"expression": mutation}}
        if mutation.startswith("[")
        else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": mutation}}
        for mutation in mutations
    ]
    return policy(kind="Mutating", name=name, mutations=written, **{"reinvocationPolicy": "Never", **spec})


def binding(kind: str = "Validating", name: str = "b", of: str = "p", **spec: Json) -> Json:
    actions = {"validationActions": ["Deny"]} if kind == "Validating" else {}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}AdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": {"policyName": of, **actions, **spec},
    }

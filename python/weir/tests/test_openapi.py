"""The clients know exactly the paths, parameters, fields and statuses of the descriptions."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import pathlib
import typing
from typing import Any, Optional

import pytest

from weir import service, session
from weir._codec import field_types, json_name, optional
from weir._http import Operation

ROOT = pathlib.Path(__file__).resolve().parents[3]
SESSION = ROOT / "workflow-runner/src/main/resources/dev/weir/workflow/jobs/openapi.json"
SERVICE = ROOT / "hints-service/src/main/resources/dev/weir/service/rest/openapi.json"

SIMPLE = {"string": (str,), "integer": (int,), "number": (float, int), "boolean": (bool,)}

DESCRIPTIONS = {
    "session": (json.loads(SESSION.read_text()), session.OPERATIONS),
    "service": (json.loads(SERVICE.read_text()), service.OPERATIONS),
}


def described(page: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Returns method, path and description of each operation."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in page["paths"].items()
        for method, operation in methods.items()
    }


CASES = [
    pytest.param(page, name, known.get(name), *each, id=f"{which}-{name}")
    for which, (page, known) in DESCRIPTIONS.items()
    for name, each in described(page).items()
]


@pytest.mark.parametrize("which", DESCRIPTIONS)
def test_all_operations_are_known(which: str) -> None:
    page, known = DESCRIPTIONS[which]
    assert set(known) == set(described(page))


@pytest.mark.parametrize("page,name,known,method,path,operation", CASES)
def test_operation_is_as_described(
    page: dict[str, Any],
    name: str,
    known: Optional[Operation],
    method: str,
    path: str,
    operation: dict[str, Any],
) -> None:
    assert known is not None, f"the client lacks {name}"
    assert (known.method, known.path) == (method, path)
    parameters = operation.get("parameters", [])
    assert set(known.query) == {p["name"] for p in parameters if p["in"] == "query"}
    assert set(known.headers) == {p["name"] for p in parameters if p["in"] == "header"}
    statuses = set(operation["responses"]) - {"default"}
    assert {str(status) for status in (*known.answers, *known.errors)} == statuses
    for status, kind in known.answers.items():
        schema = content(operation["responses"][str(status)])
        assert (kind is None) == (schema is None), f"{name} {status}"
        if schema is not None:
            check(page, kind, schema, f"{name} {status}")
    body = content(operation.get("requestBody", {}))
    assert (known.body is None) == (body is None)
    if body is not None:
        check(page, known.body, body, f"{name} request")


def content(described: dict[str, Any]) -> Optional[dict[str, Any]]:
    schema: Optional[dict[str, Any]] = (
        described.get("content", {}).get("application/json", {}).get("schema")
    )
    return schema


def test_refusals_are_as_described() -> None:
    from weir.hints import Problem
    from weir.jobs import ErrorMessage

    for (page, _), name, kind in zip(
        DESCRIPTIONS.values(), ("Error", "Problem"), (ErrorMessage, Problem)
    ):
        check(page, kind, page["components"]["schemas"][name], name)


def variants(page: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the alternatives of a schema, without references."""
    if "$ref" in schema:
        return variants(page, page["components"]["schemas"][schema["$ref"].split("/")[-1]])
    if "oneOf" in schema:
        return [each for one in schema["oneOf"] for each in variants(page, one)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": each} for each in schema["type"]]
    return [schema]


def check(page: dict[str, Any], kind: Any, schema: dict[str, Any], place: str) -> None:
    """Checks that a type and a schema have the same fields."""
    alternatives = variants(page, schema)
    may_be_null = any(each.get("type") == "null" for each in alternatives)
    alternatives = [each for each in alternatives if each.get("type") != "null"]
    inner = optional(kind)
    if inner is not None:
        return check(page, inner, {"oneOf": alternatives}, place)
    assert not may_be_null or "request" in place, f"{place} may be null: make it Optional"
    objects = [each for each in alternatives if each.get("type") == "object"]
    if kind is Any:
        return None  # A hint in a request: an object or its short text.
    if dataclasses.is_dataclass(kind):
        return check_fields(page, kind, objects, place)
    only = alternatives[0]
    if typing.get_origin(kind) is tuple:
        assert only["type"] == "array", place
        return check(page, typing.get_args(kind)[0], only["items"], place + "[]")
    if typing.get_origin(kind) is dict:
        assert objects, place
        return None
    if issubclass(kind, enum.Enum):
        values = {value for each in alternatives for value in kinds(each)}
        assert values == {member.value for member in kind}, place
        return None
    if issubclass(kind, datetime.datetime):
        assert only.get("format") == "date-time", place
        return None
    for each in alternatives:
        if "const" not in each:
            assert kind in SIMPLE[each["type"]], place
            assert "enum" not in each or "request" in place, f"{place} is an enumeration"
            assert each.get("format") != "date-time", f"{place} is a time"
    return None


def kinds(schema: dict[str, Any]) -> list[Any]:
    return list(schema["enum"])


def check_fields(
    page: dict[str, Any], kind: Any, objects: list[dict[str, Any]], place: str
) -> None:
    fields = {json_name(field): field for field in dataclasses.fields(kind)}
    # A request may be wrapped, as that for a hint is, whose first form is enough.
    described = merged(page, objects, place)
    if place.startswith("putHint request"):
        described = {name: each for name, each in described.items() if name in fields}
    assert set(fields) == set(described), place
    types = field_types(kind)
    required = set.intersection(*(set(each.get("required", [])) for each in objects))
    for name, field in fields.items():
        has_default = (
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING
        )
        # The session's description does not say which fields an answer always has.
        if "required" in objects[0] and page["info"]["title"] != "Weir session":
            assert (name in required) == (not has_default), f"{place}.{name}"
        check(page, types[field.name], described[name], f"{place}.{name}")


def merged(
    page: dict[str, Any], objects: list[dict[str, Any]], place: str
) -> dict[str, dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for each in objects:
        for name, schema in each.get("properties", {}).items():
            found.setdefault(name, []).append(schema)
    return {
        name: schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
        for name, schemas in found.items()
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page["components"]["schemas"]["JobStatus"]["properties"].update(
            {"swap": {"type": "integer"}}
        ),
        lambda page: page["components"]["schemas"]["File"]["properties"].pop("hint"),
        lambda page: page["paths"]["/v1/jobs"]["post"]["responses"].update({"418": {}}),
        lambda page: page["paths"]["/v1/jobs/{id}"]["get"]["parameters"].pop(),
        lambda page: page["components"]["schemas"]["JobStatus"]["properties"]["state"][
            "enum"
        ].append("paused"),
    ],
    ids=["field added", "field removed", "status added", "parameter removed", "state added"],
)
def test_changed_description_is_noticed(change: Any) -> None:
    page = json.loads(SESSION.read_text())
    change(page)
    with pytest.raises(AssertionError):
        for name, each in described(page).items():
            test_operation_is_as_described(page, name, session.OPERATIONS[name], *each)

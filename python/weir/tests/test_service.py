"""Requests to the hints service over HTTP."""

from __future__ import annotations

import datetime
from typing import Any, Callable

import pytest

import weir
from weir import hints, jobs, records
from weir.errors import ForbiddenError, InvalidAnswerError, UnavailableError
from weir.testing import Answer, Request, serve

WRITTEN = {"id": "m", "owner": "alice", "version": 15, "rules": 1}
TIME = datetime.datetime(2026, 12, 21, 8, 20, 36, tzinfo=datetime.timezone.utc)
RULE = hints.Rule.of("/m/*", "pipeline")
HEAD = records.RunHead("w", "other", jobs.RunState.RUNNING, "/m", False, TIME)
LINEAGE = {
    "path": "/m/a",
    "now": {"exists": True, "bytes": 1},
    "verdict": "SAME",
    "note": "",
    "files": [],
    "attempts": [],
    "runs": [],
    "truncated": False,
}


def service(url: str, **options: Any) -> weir.HintsService:
    return weir.HintsService(url, user="alice", sleep=lambda seconds: None, **options)


@pytest.mark.parametrize(
    "call,answer,request_line",
    [
        (
            lambda s: s.put_hint_set("m", hints.HintSetBody((RULE,), expires=TIME), version=3),
            WRITTEN,
            "PUT /v1/hint-sets/m?user.name=alice"
            " {'rules': [{'pattern': '/m/*', 'hint': 'pipeline'}],"
            " 'expires': '2026-12-21T08:20:36Z'}",
        ),
        (
            lambda s: s.patch_hint_set("m", hints.HintSetPatch(remove=("/x",))),
            WRITTEN,
            "PATCH /v1/hint-sets/m?user.name=alice {'remove': ['/x']}",
        ),
        (
            lambda s: s.keep_alive("m", "12h"),
            WRITTEN,
            "POST /v1/hint-sets/m:keep-alive?user.name=alice {'for': '12h'}",
        ),
        (lambda s: s.delete_hint_set("m"), None, "DELETE /v1/hint-sets/m?user.name=alice"),
        (
            lambda s: s.put_hint("/m/a", weir.Hint(cache=True), await_applied=5),
            WRITTEN,
            "PUT /v1/hints?path=%2Fm%2Fa&await=applied&timeout=5000ms&user.name=alice"
            " {'hint': {'cache': True}}",
        ),
        (lambda s: s.delete_hint("/m/a"), None, "DELETE /v1/hints?path=%2Fm%2Fa&user.name=alice"),
        (
            lambda s: s.rank("/m/a", limit=1),
            {"nodes": [], "bytes": 0, "missing": [], "namenode-calls": 1},
            "POST /v1/placements:rank?user.name=alice {'paths': ['/m/a'], 'limit': 1}",
        ),
        (
            lambda s: s.infer({"name": "w"}, "/m", nodes=4),
            {"rules": []},
            "POST /v1/workflows:infer?directory=%2Fm&nodes=4&user.name=alice {'name': 'w'}",
        ),
        (
            lambda s: s.put_run("r", HEAD),
            {"id": "r", "state": "RUNNING"},
            "PUT /v1/runs/r?user.name=alice {'workflow': 'w', 'mode': 'other',"
            " 'state': 'RUNNING', 'data-dir': '/m', 'stand-in': False,"
            " 'started': '2026-12-21T08:20:36Z'}",
        ),
        (
            lambda s: s.provenance("/m/a"),
            LINEAGE,
            "GET /v1/provenance?path=%2Fm%2Fa&user.name=alice",
        ),
        (lambda s: list(s.runs()), {"runs": []}, "GET /v1/runs?user.name=alice"),
        (
            lambda s: s.watchers(),
            {"version": 1, "watchers": []},
            "GET /v1/watchers?user.name=alice",
        ),
    ],
)
def test_each_call_has_its_request(
    call: Callable[[weir.HintsService], Any], answer: Any, request_line: str
) -> None:
    reply = Answer(204) if answer is None else Answer(200, answer)
    with serve(lambda request: reply) as server:
        call(service(server.url))
    (request,) = server.requests
    body = f" {request.json()}" if request.body else ""
    assert f"{request.method} {request.target}{body}" == request_line


def test_conditions_are_headers() -> None:
    with serve(lambda request: Answer(201, WRITTEN)) as server:
        service(server.url).put_hint_set("m", hints.HintSetBody((RULE,)), version=15)
        service(server.url).put_hint_set("m", hints.HintSetBody((RULE,)), only_new=True)
    assert server.requests[0].headers["if-match"] == '"15"'
    assert server.requests[1].headers["if-none-match"] == "*"


def test_locations_are_typed() -> None:
    node = {"host": "n2", "rack": "/r1", "bytes": 5, "cached-bytes": 0}
    answer = {
        "files": [
            {"path": "/a", "bytes": 5, "blocks": 1, "nodes": [node]},
            {"path": "/b", "error": "not-found"},
        ],
        "namenode-calls": 4,
    }
    with serve(lambda request: Answer(200, answer)) as server:
        there, missing = service(server.url).locate("/a", "/b").files
    assert there.nodes == (hints.Node("n2", "/r1", 5, 0),)
    assert missing.error is hints.LocationError.NOT_FOUND


def test_pages_are_followed() -> None:
    def answer(request: Request) -> Answer:
        after = request.query.get("after")
        one = {"id": after or "a", "owner": "alice", "rules": 1, "version": 1}
        return Answer(200, {"hint-sets": [one], **({} if after else {"next": "b"})})

    with serve(answer) as server:
        assert [each.id for each in service(server.url).hint_sets()] == ["a", "b"]


def test_refusal_names_the_field() -> None:
    problem = {"detail": "You cannot write /x", "field": "/rules/0", "status": 403}
    with serve(lambda request: Answer(403, problem)) as server:
        with pytest.raises(ForbiddenError, match="You cannot write /x") as refused:
            service(server.url).hint("/x")
    assert refused.value.field == "/rules/0"


def test_another_instance_answers() -> None:
    with serve(lambda request: Answer(200)) as gone:
        pass
    with serve(lambda request: Answer(200, {"version": 1, "watchers": []})) as server:
        both = weir.HintsService(gone.url, server.url, sleep=lambda seconds: None)
        assert both.watchers().version == 1


def test_unavailable_service_is_asked_again_and_then_reported() -> None:
    with serve(lambda request: Answer(503, {"detail": "no ZooKeeper"})) as server:
        with pytest.raises(UnavailableError, match="no ZooKeeper"):
            service(server.url).status()
    assert len(server.requests) == 5


def test_another_server_is_noticed() -> None:
    with serve(lambda request: Answer(200, b"<html>")) as server:
        with pytest.raises(InvalidAnswerError, match="right address"):
            service(server.url).status()


def test_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        service("http://127.0.0.1:1").keep_alive("m", expires=datetime.datetime(2026, 1, 1))

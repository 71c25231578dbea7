"""Requests to the hints service over HTTP."""

from __future__ import annotations

import datetime
from typing import Any, Callable

import pytest

import weir
from weir import hints, jobs, records
from weir._http import Response
from weir.errors import ForbiddenError, InvalidAnswerError, UnavailableError
from weir.testing import Answer, Request, serve

WRITTEN = {"id": "m", "owner": "alice", "version": 15, "rules": 1}
TIME = datetime.datetime(2026, 12, 21, 8, 20, 36, tzinfo=datetime.timezone.utc)
RULE = hints.Rule.of("/m/*", "pipeline")
HEAD = records.RunHead("w", "other", jobs.RunState.RUNNING, "/m", False, TIME)
PROFILE = hints.UseProfile((hints.FileUse("/m/a", 1.5, 0.0),))
CHANGE = {"path": "/m/a", "own": 3, "from": 3, "to": 5, "utility": 2}
PLAN = {
    "time": "2026-12-21T08:20:36Z",
    "namenodes-counting": 2,
    "counts-established": True,
    "files": 7,
    "budget": 5000,
    "bytes": 400,
    "price": 0,
    "changes": 1,
    "plan": [CHANGE],
}
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


def auto(min: int = 0, max: int = 0) -> weir.Hint:
    return weir.Hint(replication=hints.Replication(auto=hints.AutoRange(min, max)))


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
        (
            lambda s: s.put_hint("/m/a", auto(1, 8)),
            WRITTEN,
            "PUT /v1/hints?path=%2Fm%2Fa&user.name=alice"
            " {'hint': {'replication': {'auto': {'min': 1, 'max': 8}}}}",
        ),
        (
            lambda s: s.put_hint("/m/a", auto()),
            WRITTEN,
            "PUT /v1/hints?path=%2Fm%2Fa&user.name=alice {'hint': {'replication': {'auto': {}}}}",
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
        (lambda s: s.auto_plan(), PLAN, "GET /v1/auto-replication?user.name=alice"),
        (
            lambda s: s.export_use_profile(),
            {"files": []},
            "GET /v1/auto-replication/profile?user.name=alice",
        ),
        (
            lambda s: s.import_use_profile(PROFILE),
            {"files": 1},
            "POST /v1/auto-replication/profile?user.name=alice"
            " {'files': [{'path': '/m/a', 'reads': 1.5, 'writes': 0.0}]}",
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


@pytest.mark.parametrize(
    "replication,decoded",
    [
        ({"auto": {"min": 1, "max": 8}}, hints.Replication(auto=hints.AutoRange(1, 8))),
        ({"auto": {"max": 8}}, hints.Replication(auto=hints.AutoRange(max=8))),
        ({"mode": "lazy", "target": 3}, hints.Replication(hints.ReplicationMode.LAZY, 3)),
    ],
)
def test_replication_has_a_mode_or_a_range(
    replication: dict[str, Any], decoded: hints.Replication
) -> None:
    answer = {
        "path": "/m/a",
        "hint": {"replication": replication},
        "text": "",
        "set": "m",
        "owner": "alice",
        "pattern": "/m/*",
        "version": 1,
    }
    with serve(lambda request: Answer(200, answer)) as server:
        assert service(server.url).hint("/m/a").hint == weir.Hint(replication=decoded)


def test_plan_is_typed() -> None:
    with serve(lambda request: Answer(200, PLAN)) as server:
        plan = service(server.url).auto_plan()
    assert plan.time == TIME
    assert plan.plan == (hints.ReplicaChange("/m/a", 3, 3, 5, 2.0),)


def test_explanation_has_the_use_of_a_file_under_auto() -> None:
    other: dict[str, Any] = {
        "path": "/m/a",
        "rule": None,
        "wanted": {"replicas": 0, "nodes": [], "why": ""},
        "actual": {"exists": False, "bytes": 0, "replication": 0, "block-size": 0, "blocks": []},
        "differences": [],
    }
    use = {"reads": 4.5, "writes": 1, "utility": 0.25, "why": "the budget is used"}
    answers = [other, {**other, "use": use}]
    with serve(lambda request: Answer(200, answers.pop(0))) as server:
        assert service(server.url).explain("/m/a").use is None
        used = service(server.url).explain("/m/a").use
    assert used == hints.Use(4.5, 1.0, 0.25, "the budget is used")


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


def test_import_that_may_have_arrived_is_not_sent_again() -> None:
    class LostAnswer:
        """Sends no answer."""

        def __init__(self) -> None:
            self.failures: list[OSError] = [ConnectionRefusedError("refused"), TimeoutError("late")]

        def send(self, *request: Any) -> Response:
            raise self.failures.pop(0)

    transport = LostAnswer()
    with pytest.raises(UnavailableError, match="does not answer at http://n1: late"):
        service("http://n1", transport=transport).import_use_profile(PROFILE)
    assert transport.failures == []


def test_service_that_does_not_answer_is_asked_again_and_then_reported() -> None:
    pauses: list[float] = []
    with serve(lambda request: Answer(200)) as gone:
        pass
    with pytest.raises(UnavailableError, match="Is 'weir server' running"):
        weir.HintsService(gone.url, sleep=pauses.append).status()
    assert len(pauses) == 4


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

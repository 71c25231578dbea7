"""Requests to a session over HTTP."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
from typing import Any, Callable

import pytest

import weir
from weir.errors import (
    ConflictError,
    InvalidAnswerError,
    JobFailedError,
    NoSessionError,
    UnavailableError,
)
from weir.session import Endpoint, Session, read_endpoint
from weir.testing import KEY, Answer, LocalWeir, Request, serve

DONE = {"id": "a", "tag": "sh", "state": "succeeded", "exit-code": 0, "number": 1}


def client(url: str, **options: Any) -> Session:
    return Session(lambda: Endpoint(url, KEY), sleep=lambda seconds: None, **options)


def test_job_is_submitted_as_described() -> None:
    with serve(lambda request: Answer(201, DONE), KEY) as server:
        job = weir.Job.of(
            ["wc", "in.txt"],
            {"in.txt": "/data/a.txt"},
            [weir.File.output("/out/b", hint="broadcast=4")],
            id="a",
            memory_mb=512,
            wall_time=60,
            container="debian:12",
            containers=3,
            resources={"yarn.io/gpu": 1},
        )
        assert client(server.url).submit(job).state is weir.JobState.SUCCEEDED
    assert server.requests[0].json() == {
        "id": "a",
        "command": ["wc", "in.txt"],
        "files": [
            {"type": "INPUT", "serv_path": "/data/a.txt", "task_path": "in.txt"},
            {"type": "OUTPUT", "serv_path": "/out/b", "task_path": "b", "hint": "broadcast=4"},
        ],
        "memory-mb": 512,
        "wall-time": 60,
        "container": "debian:12",
        "containers": 3,
        "resources": {"yarn.io/gpu": 1},
    }


def test_patterns_of_outputs_have_a_directory() -> None:
    job = weir.Job.of(["make"], outputs=["/out/b", weir.File.found("/out/c", "*.txt")], id="a")
    assert job.outputs == ("/out/b",)
    with serve(lambda request: Answer(201, DONE), KEY) as server:
        client(server.url).submit(job)
    assert server.requests[0].json()["files"][1] == {
        "type": "OUTPUT",
        "serv_path": "/out/c",
        "task_path": "*.txt",
        "glob": True,
    }


def test_local_session_finds_outputs() -> None:
    script = "mkdir d && echo 1 > d/a.txt && echo 2 > d/b"
    with LocalWeir() as local:
        hdfs = weir.Hdfs.connect(local.conf_dir)
        session = Session.connect(hdfs=hdfs)
        job = weir.Job.of(
            ["sh", "-c", script], outputs=[weir.File.found("/out", "d/*.txt")], id="a"
        )
        session.submit(job)
        assert session.wait("a").state is weir.JobState.SUCCEEDED
        assert list(hdfs.files("/out")) == ["d/a.txt"]


def test_job_without_id_gets_one_so_that_a_retry_is_the_same_job() -> None:
    answers = [Answer(503, {"message": "later"}), Answer(201, DONE)]
    with serve(lambda request: answers.pop(0), KEY) as server:
        client(server.url).submit(weir.Job.of(["true"]))
    first, second = (request.json()["id"] for request in server.requests)
    assert first == second


def test_refusal_has_the_message_of_the_session() -> None:
    refusal = Answer(409, {"message": "Another job has the id 'a': choose another id"})
    with serve(lambda request: refusal, KEY) as server:
        with pytest.raises(ConflictError, match="choose another id"):
            client(server.url).submit(weir.Job.of(["true"], id="a"))


def test_session_that_does_not_answer_is_unavailable() -> None:
    with serve(lambda request: Answer(200), KEY) as server:
        url = server.url
    with pytest.raises(UnavailableError, match="weir session list"):
        client(url, retry_timeout=0).session()


def test_another_server_at_the_address_is_noticed() -> None:
    with serve(lambda request: Answer(200, DONE)) as server:
        with pytest.raises(UnavailableError, match="is not the session"):
            client(server.url, retry_timeout=0).status("a")


def test_session_is_found_again_with_its_new_key() -> None:
    with serve(lambda request: Answer(200, DONE), KEY) as server:
        keys = ["11" * 32, KEY]
        session = Session(lambda: Endpoint(server.url, keys.pop(0)), sleep=lambda seconds: None)
        assert session.status("a").number == 1
    assert keys == []


def test_wait_asks_until_the_job_has_ended() -> None:
    answers = [Answer(200, {"id": "a", "state": "running"}), Answer(200, DONE)]
    with serve(lambda request: answers.pop(0), KEY) as server:
        assert client(server.url).wait("a").exit_code == 0
    assert [request.query for request in server.requests] == [{"wait": "30"}] * 2


def test_wait_is_limited() -> None:
    running = Answer(200, {"id": "a", "state": "running"})
    with serve(lambda request: running, KEY) as server:
        with pytest.raises(TimeoutError, match="'a' is running after 0 seconds"):
            client(server.url).wait("a", 0)


@pytest.mark.parametrize(
    "call,method,target",
    [
        (lambda s: s.list(), "GET", "/v1/jobs"),
        (lambda s: s.ended(3, 5), "GET", "/v1/jobs?after=3&wait=5"),
        (lambda s: s.cancel("a"), "DELETE", "/v1/jobs/a"),
        (lambda s: s.stop(when_idle=True), "DELETE", "/v1/session?when=idle"),
        (lambda s: s.stop(), "DELETE", "/v1/session"),
        (lambda s: s.runs(), "GET", "/v1/runs"),
        (lambda s: s.run("application_1_2", 1), "GET", "/v1/runs/application_1_2?wait=1"),
        (lambda s: s.submit_run("application_1_2"), "POST", "/v1/runs"),
        (lambda s: s.cancel_run("application_1_2"), "DELETE", "/v1/runs/application_1_2"),
        (lambda s: s.description(), "GET", "/v1/openapi.json"),
    ],
)
def test_each_call_has_its_request(
    call: Callable[[Session], Any], method: str, target: str
) -> None:
    def answer(request: Request) -> Answer:
        if "/runs" in request.path:
            one = {"id": "application_1_2", "state": "RUNNING"}
            return Answer(200, {**one, "runs": [{**one, "tasks": 2, "done": 1}]})
        return Answer(
            200, {"jobs": [DONE], "next": 1, **DONE, "name": "s", "mode": "weir", "number": 1}
        )

    with serve(answer, KEY) as server:
        call(client(server.url))
    assert [(r.method, r.target) for r in server.requests] == [(method, target)]


def test_answer_of_a_newer_session_names_the_field() -> None:
    with serve(lambda request: Answer(200, {"id": "a", "state": "paused"}), KEY) as server:
        with pytest.raises(InvalidAnswerError, match=r"/v1/jobs/a\.state is 'paused'"):
            client(server.url).status("a")


def test_endpoint_that_is_none_is_named() -> None:
    with pytest.raises(NoSessionError, match="endpoint.json is no address"):
        read_endpoint(b"{}", "endpoint.json")


def test_key_is_not_printed() -> None:
    assert KEY not in repr(Endpoint("http://n1", KEY))


def test_asyncio_client_waits_for_jobs_at_the_same_time() -> None:
    async def main(url: str) -> list[weir.JobStatus]:
        async with weir.AsyncSession(client(url)) as session:
            await session.submit(weir.Job.of(["true"], id="a"))
            return list(await asyncio.gather(session.wait("a"), session.wait("a")))

    with serve(lambda request: Answer(200, DONE), KEY) as server:
        assert [end.number for end in asyncio.run(main(server.url))] == [1, 1]


class FakeSession:
    """Runs jobs in its memory: a job whose command is ``false`` fails."""

    def __init__(self) -> None:
        self.held = False
        self.jobs: dict[str, dict[str, Any]] = {}
        self.next = 0

    def answer(self, request: Request) -> Answer:
        if request.method == "POST":
            job = request.json()
            state = "queued" if job["command"] == ["held"] else "succeeded"
            self.end(job["id"], "failed" if job["command"] == ["false"] else state)
            return Answer(201, {"id": job["id"], "state": "queued"})
        if request.method == "DELETE":
            id = request.path.rpartition("/")[2]
            self.end(id, "cancelled")
            return Answer(200, self.jobs[id])
        if request.path == "/v1/jobs":
            after = int(request.query.get("after", -1))
            ended = [job for job in list(self.jobs.values()) if job.get("number", 0) > after]
            return Answer(200, {"jobs": ended, "next": max([after, self.next])})
        return Answer(200, self.jobs[request.path.rpartition("/")[2]])

    def end(self, id: str, state: str) -> None:
        self.jobs[id] = {"id": id, "state": state, "message": "exit code 1", "node": "n1"}
        if state != "queued":
            self.next += 1
            self.jobs[id]["number"] = self.next


def test_executor_completes_futures() -> None:
    with serve(FakeSession().answer, KEY) as server:
        with weir.Executor(client(server.url)) as executor:
            futures = [executor.submit(["true"], ["/a"], {"out": f"/b{i}"}) for i in range(5)]
            done, not_done = concurrent.futures.wait(futures)
    assert not not_done
    assert {future.result().state for future in futures} == {weir.JobState.SUCCEEDED}


def test_executor_submits_a_job_as_it_is() -> None:
    jobs = [weir.Job.of(["true"], id="a", wall_time=60), weir.Job.of(["true"], priority=1)]
    with serve(FakeSession().answer, KEY) as server:
        with weir.Executor(client(server.url)) as executor:
            ids = [executor.submit_job(job).result().id for job in jobs]
    posts = [request.json() for request in server.requests if request.method == "POST"]
    assert posts[0] == {"id": "a", "command": ["true"], "wall-time": 60}
    assert posts[1] == {"id": ids[1], "command": ["true"], "priority": 1}
    assert ids[0] == "a"
    assert ids[1].startswith("job-")


def test_executor_takes_the_options_of_a_job() -> None:
    with serve(FakeSession().answer, KEY) as server:
        with weir.Executor(client(server.url)) as executor:
            executor.submit(["true"], id="a", cores=2).result()
            with pytest.raises(TypeError, match="memory"):
                executor.submit(["true"], memory=512)
    assert server.requests[0].json() == {"id": "a", "command": ["true"], "cores": 2}


def test_future_of_a_failed_job_raises() -> None:
    with serve(FakeSession().answer, KEY) as server:
        with weir.Executor(client(server.url)) as executor:
            future = executor.submit(["false"], id="bad")
            with pytest.raises(JobFailedError, match="Job 'bad' failed on n1 .*exit code 1"):
                future.result()


def test_cancelled_future_is_cancelled_in_the_session() -> None:
    fake = FakeSession()
    with serve(fake.answer, KEY) as server:
        with weir.Executor(client(server.url)) as executor:
            future = executor.submit(["held"], id="h")
            assert future.cancel()
            assert future.cancelled()
    assert fake.jobs["h"]["state"] == "cancelled"


def test_exception_in_the_block_cancels_the_jobs() -> None:
    fake = FakeSession()
    with serve(fake.answer, KEY) as server:
        with pytest.raises(KeyError):
            with weir.Executor(client(server.url)) as executor:
                executor.submit(["held"], id="h")
                raise KeyError
    assert fake.jobs["h"]["state"] == "cancelled"


def test_executor_that_is_shut_down_takes_no_jobs() -> None:
    executor = weir.Executor(client("http://127.0.0.1:1"))
    executor.shutdown()
    with pytest.raises(RuntimeError, match="create another"):
        executor.submit(["true"])


def test_graph_runs_in_order_and_raises_the_first_failure() -> None:
    graph = weir.Graph(
        (
            weir.Job.of(["true"], ["/x"], ["/y"], id="b"),
            weir.Job.of(["false"], [], ["/x"], id="a"),
        )
    )
    with serve(FakeSession().answer, KEY) as server:
        with pytest.raises(JobFailedError, match="Job 'a'"):
            graph.run(client(server.url))
    posts = [json.loads(r.body)["id"] for r in server.requests if r.method == "POST"]
    assert posts == ["a", "b"]


def test_cycle_and_second_maker_are_refused() -> None:
    a = weir.Job.of(["a"], ["/y"], ["/x"], id="a")
    b = weir.Job.of(["b"], ["/x"], ["/y"], id="b")
    with pytest.raises(ValueError, match="wait for each other: a, b"):
        list(weir.Graph((a, b)).in_order())
    with pytest.raises(ValueError, match="both write /x"):
        weir.Graph((a,)).with_job(weir.Job.of(["c"], [], ["/x"], id="c"))


@pytest.mark.parametrize(
    "make,message",
    [
        (lambda: weir.Job.of("wc a"), "a command is a list"),
        (lambda: weir.Job.of([]), "has no command"),
        (lambda: weir.Job.of(["a"], "/x"), "a list of files"),
        (lambda: weir.Job.of(["a"], ["x"]), "is no path in HDFS"),
        (lambda: weir.Job.of(["a"], {"../x": "/x"}), "is no name for a file"),
        (lambda: weir.Job.of(["a"], id="-"), "is no id of a job"),
        (lambda: weir.Job.of(["a"], attempts=101), "give 1 to 100"),
        (lambda: weir.Job.of(["a"], [weir.File.output("/x")]), "given as INPUT"),
    ],
)
def test_invalid_job_is_refused_with_a_remedy(make: Callable[[], Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        make()

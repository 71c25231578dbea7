"""A client of a session, which runs jobs."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Optional, TypeVar

from weir import errors, jobs
from weir._codec import decode, encode
from weir._http import HttpTransport, Operation, Response, Transport, error_text
from weir._signing import Signer
from weir.hdfs import Hdfs

T = TypeVar("T")

RETRY_TIMEOUT_SECONDS = 120.0
"""How long a session may not answer; YARN starts another ApplicationMaster in less."""

_LONGEST_WAIT = 30
_ANSWER_SECONDS = 30.0
_PAUSE_SECONDS = 0.3
_SESSIONS = ".weir/sessions"

OPERATIONS: Mapping[str, Operation] = {
    "submitJob": Operation(
        "POST",
        "/v1/jobs",
        body=jobs.Job,
        answers={200: jobs.JobStatus, 201: jobs.JobStatus},
        errors=(400, 401, 409, 413, 422, 503),
    ),
    "listJobs": Operation(
        "GET",
        "/v1/jobs",
        query=("after", "wait"),
        answers={200: jobs.Jobs},
        errors=(400, 401, 503),
    ),
    "getJob": Operation(
        "GET",
        "/v1/jobs/{id}",
        query=("wait",),
        answers={200: jobs.JobStatus},
        errors=(400, 401, 404, 503),
    ),
    "cancelJob": Operation(
        "DELETE", "/v1/jobs/{id}", answers={200: jobs.JobStatus}, errors=(401, 404, 503)
    ),
    "listRuns": Operation("GET", "/v1/runs", answers={200: jobs.RunList}, errors=(401, 503)),
    "submitRun": Operation(
        "POST",
        "/v1/runs",
        body=jobs.RunSubmission,
        answers={200: jobs.SessionRun, 201: jobs.SessionRun},
        errors=(400, 401, 409, 422, 503),
    ),
    "getRun": Operation(
        "GET",
        "/v1/runs/{id}",
        query=("wait",),
        answers={200: jobs.SessionRun},
        errors=(401, 404, 503),
    ),
    "cancelRun": Operation(
        "DELETE", "/v1/runs/{id}", answers={200: jobs.SessionRun}, errors=(401, 404, 503)
    ),
    "getSession": Operation(
        "GET", "/v1/session", answers={200: jobs.SessionStatus}, errors=(401, 503)
    ),
    "stopSession": Operation(
        "DELETE",
        "/v1/session",
        query=("when",),
        answers={200: jobs.SessionStatus},
        errors=(401, 503),
    ),
    "getDescription": Operation("GET", "/v1/openapi.json", answers={200: dict[str, Any]}),
}
"""What a session can be asked, by the operation's id in its OpenAPI description."""


@dataclass(frozen=True)
class Endpoint:
    """Address and key of a session."""

    url: str
    key: str

    def __repr__(self) -> str:
        """Leaves out the key."""
        return f"Endpoint({self.url!r})"


def read_endpoint(text: bytes, place: str) -> Endpoint:
    """Reads ``endpoint.json`` of a session.

    >>> read_endpoint(b'{"url": "http://n1:4711", "key": "00"}', "endpoint.json")
    Endpoint('http://n1:4711')
    """
    try:
        value = json.loads(text)
        return Endpoint(str(value["url"]), str(value["key"]))
    except (ValueError, KeyError, TypeError) as e:
        raise errors.NoSessionError(
            f"{place} is no address of a session: start another with 'weir session start'"
        ) from e


class Session:
    """A client of a session. Thread-safe; all calls may be repeated.

    A session whose ApplicationMaster has died is found again: ``find`` is called anew when it does
    not answer.

    :param find: returns where the session is now
    :param retry_timeout: seconds that the session may not answer
    """

    def __init__(
        self,
        find: Callable[[], Endpoint],
        retry_timeout: float = RETRY_TIMEOUT_SECONDS,
        transport: Optional[Transport] = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._find = find
        self._retry_timeout = retry_timeout
        self._transport: Transport = transport or HttpTransport()
        self._clock = clock
        self._sleep = sleep
        self._known: Optional[Endpoint] = None

    @staticmethod
    def connect(
        session: str = "", hdfs: Optional[Hdfs] = None, retry_timeout: float = RETRY_TIMEOUT_SECONDS
    ) -> Session:
        """Returns a client of one of the user's sessions.

        :param session: its id or its name; empty for the only one
        :param hdfs: the cluster's file system; that of ``HADOOP_CONF_DIR`` by default
        """
        files = hdfs or Hdfs.connect()
        directory = f"{files.home()}/{_SESSIONS}"
        id = session
        if not session.startswith("application_"):
            id = _choose(files, directory, session)
        path = f"{directory}/{id}/endpoint.json"

        def find() -> Endpoint:
            try:
                return read_endpoint(files.read(path), path)
            except errors.HdfsNotFoundError as e:
                if files.exists(f"{directory}/{id}"):
                    # Retried: its ApplicationMaster writes the file when it takes requests.
                    raise ConnectionError(f"{path} does not exist yet, or not any more") from e
                raise errors.NoSessionError(
                    f"The session {id} has ended, for {directory}/{id} does not exist: start"
                    " another with 'weir session start'"
                ) from e

        return Session(find, retry_timeout)

    def submit(self, job: jobs.Job) -> jobs.JobStatus:
        """Gives a job to the session, which then runs it even if its ApplicationMaster dies.

        A job with an id may be submitted again. One without an id gets a random one here, so that
        a repeated request submits it once.

        :raises ConflictError: if another job has that id
        :raises RefusedError: if an input does not exist, or no worker is large enough
        """
        body = encode(job)
        body.setdefault("id", f"job-{secrets.token_hex(16)}")
        return self._call("submitJob", jobs.JobStatus, body=body)

    def status(self, id: str) -> jobs.JobStatus:
        """Returns what is known of a job."""
        return self._call("getJob", jobs.JobStatus, id)

    def wait(self, id: str, timeout: Optional[float] = None) -> jobs.JobStatus:
        """Waits for the end of a job.

        :raises TimeoutError: if it has not ended after ``timeout`` seconds
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            seconds = _seconds(end)
            status = self._call("getJob", jobs.JobStatus, id, wait=seconds)
            if status.state.is_final:
                return status
            if seconds == 0:
                raise TimeoutError(f"Job '{id}' is {status.state.value} after {timeout} seconds")

    def ended(self, after: int = 0, wait: float = 0) -> jobs.Jobs:
        """Returns the jobs that ended after a number; waits for one if there is none.

        Begin with 0 and go on with the answer's ``next``. An answer has 1,000 jobs at most. After
        a restart of the session it may name a job a second time.
        """
        seconds = min(_LONGEST_WAIT, max(0, round(wait)))
        return self._call("listJobs", jobs.Jobs, after=after, wait=seconds)

    def list(self) -> tuple[jobs.JobStatus, ...]:
        """Returns the jobs that the session knows, in the order of their submission."""
        return self._call("listJobs", jobs.Jobs).jobs

    def cancel(self, id: str) -> jobs.JobStatus:
        """Cancels a job, and those that need its outputs. A job that has ended stays as it is."""
        return self._call("cancelJob", jobs.JobStatus, id)

    def session(self) -> jobs.SessionStatus:
        """Returns how the session is."""
        return self._call("getSession", jobs.SessionStatus)

    def stop(self, *, when_idle: bool = False) -> jobs.SessionStatus:
        """Stops the session, at once or when it has no more jobs."""
        when = "idle" if when_idle else None
        return self._call("stopSession", jobs.SessionStatus, when=when)

    def submit_run(self, id: str) -> jobs.SessionRun:
        """Gives a run to the session, whose plan ``weir run`` has written to HDFS."""
        body = encode(jobs.RunSubmission(id))
        return self._call("submitRun", jobs.SessionRun, body=body)

    def runs(self) -> tuple[jobs.RunProgress, ...]:
        """Returns the runs of the session."""
        return self._call("listRuns", jobs.RunList).runs

    def run(self, id: str, wait: float = 0) -> jobs.SessionRun:
        """Returns the state of a run, at its end or after ``wait`` seconds."""
        seconds = min(_LONGEST_WAIT, max(0, round(wait)))
        return self._call("getRun", jobs.SessionRun, id, wait=seconds)

    def cancel_run(self, id: str) -> jobs.SessionRun:
        """Cancels a run."""
        return self._call("cancelRun", jobs.SessionRun, id)

    def description(self) -> dict[str, Any]:
        """Returns the OpenAPI description of the session."""
        return self._call("getDescription", dict[str, Any])

    def _call(self, name: str, kind: type[T], id: str = "", body: Any = None, **query: Any) -> T:
        operation = OPERATIONS[name]
        target = operation.target(id, query)
        data = b"" if body is None else json.dumps(body).encode()
        answer = self._send(operation, target, data, float(query.get("wait") or 0))
        place = f"The session's answer to {operation.method} {target}"
        if answer.status not in operation.answers:
            raise errors.refusal(answer.status, error_text(answer))
        return decode(kind, answer.json(place), place)

    def _send(self, operation: Operation, target: str, data: bytes, wait: float) -> Response:
        """Sends a request until it is answered, for at most ``retry_timeout`` seconds."""
        end = time.monotonic() + self._retry_timeout
        refused = False
        while True:
            over = time.monotonic() > end
            try:
                answer = self._send_once(operation.method, target, data, wait)
            except (OSError, errors.InvalidAnswerError) as e:
                self._known = None
                if over:
                    raise errors.UnavailableError(
                        503, f"The session does not answer: {e}. See 'weir session list'"
                    ) from e
            else:
                # A key of an earlier ApplicationMaster is refused once.
                if answer.status == 401 and not refused and not over:
                    refused = True
                    self._known = None
                elif answer.status != 503 or over:
                    return answer
            self._sleep(_PAUSE_SECONDS)

    def _send_once(self, method: str, target: str, data: bytes, wait: float) -> Response:
        endpoint = self._known or self._find()
        self._known = endpoint
        signer = Signer(endpoint.key)
        nonce = secrets.token_hex(16)
        millis = int(self._clock() * 1000)
        headers = {
            "Authorization": signer.authorization(method, target, millis, nonce, data),
            "Content-Type": "application/json",
        }
        limit = wait + min(_ANSWER_SECONDS, max(5.0, self._retry_timeout))
        answer = self._transport.send(method, endpoint.url + target, headers, data, limit)
        signature = answer.headers.get("weir-signature", "")
        # A caller that the session does not know gets no signed answer.
        if answer.status != 401 and not signer.is_answer(
            nonce, answer.status, answer.body, signature
        ):
            raise errors.InvalidAnswerError(
                f"What answers at {endpoint.url} is not the session: {answer.status}. See"
                " 'weir session list'"
            )
        return answer


def _seconds(end: Optional[float]) -> int:
    """Returns the whole seconds of the next wait, rounded up."""
    if end is None:
        return _LONGEST_WAIT
    left = end - time.monotonic()
    return min(_LONGEST_WAIT, max(0, int(-(-left // 1))))


def _choose(files: Hdfs, directory: str, name: str) -> str:
    """Returns the id of the only live session with a name."""
    live = _live(files, directory)
    matching = [id for id, known in live.items() if name in ("", known)]
    if len(matching) == 1:
        return matching[0]
    which = f" called '{name}'" if name else ""
    if not matching:
        others = ", ".join(f"{id} ('{known}')" for id, known in live.items())
        raise errors.NoSessionError(
            f"You have no session{which}{', but ' + others if others else ''}: start one with"
            " 'weir session start'"
        )
    raise errors.NoSessionError(
        f"You have several sessions{which}: {', '.join(matching)}. Name one of them by its id"
    )


def _live(files: Hdfs, directory: str) -> dict[str, str]:
    """Returns the names of sessions that answer, by id; a killed one leaves its directory."""
    try:
        ids = [each.name for each in files.children(directory)]
    except errors.HdfsNotFoundError:
        return {}
    live = {}
    for id in ids:
        path = f"{directory}/{id}/endpoint.json"
        try:
            endpoint = read_endpoint(files.read(path), path)
            live[id] = Session(lambda found=endpoint: found, 0.0).session().name  # type: ignore[misc]
        except (errors.HdfsNotFoundError, errors.RequestError, errors.NoSessionError):
            continue
    return live

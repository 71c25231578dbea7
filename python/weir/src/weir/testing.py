"""For tests of programs that use Weir: servers, and a cluster in this process.

:class:`LocalWeir` is an HDFS and a session. Its files are in memory, and its jobs are processes of
this machine in directories of their own, with only their declared files.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Optional

from weir import jobs
from weir._codec import decode, encode
from weir._signing import Signer

KEY = "00" * 32
"""A key of a session."""


@dataclass(frozen=True)
class Request:
    """A request that a server has received."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        """The path, unquoted."""
        return urllib.parse.unquote(urllib.parse.urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        """The parameters."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.target).query))

    def json(self) -> Any:
        """Returns the parsed body."""
        return json.loads(self.body)

    def is_signed(self, key: str) -> bool:
        """Whether the signature is that of a key."""
        header = self.headers["authorization"]
        return header == Signer(key).authorization(
            self.method, self.target, int(self._part("time")), self.nonce, self.body
        )

    @property
    def nonce(self) -> str:
        """The nonce of the signature."""
        return self._part("nonce")

    def _part(self, name: str) -> str:
        parts = self.headers["authorization"][len("Weir ") :].split(",")
        return dict(part.split("=", 1) for part in parts)[name]


@dataclass
class Server:
    """A server and what it has received."""

    url: str
    requests: list[Request] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """An answer; ``value`` is bytes, or an object that becomes JSON."""

    status: int
    value: Any = b""
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> bytes:
        """Returns the bytes of the body."""
        return self.value if isinstance(self.value, bytes) else json.dumps(self.value).encode()


@contextmanager
def serve(handler: Callable[[Request], Answer], key: Optional[str] = None) -> Iterator[Server]:
    """Runs a server; with a key it checks and signs like a session."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            names = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, names, self.rfile.read(length))
            server.requests.append(request)
            if key is None:
                self.reply(handler(request), {})
            elif not request.is_signed(key):
                self.reply(Answer(401, {"message": "not signed"}), {})
            else:
                answer = handler(request)
                digest = hashlib.sha256(answer.body()).hexdigest()
                mac = Signer(key)._mac("answer", request.nonce, str(answer.status), digest)
                self.reply(answer, {"Weir-Signature": mac})

        def reply(self, answer: Answer, more: dict[str, str]) -> None:
            self.send_response(answer.status)
            for name, value in {**answer.headers, **more}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body())))
            self.end_headers()
            self.wfile.write(answer.body())

        do_GET = do_PUT = do_POST = do_DELETE = do_PATCH = answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{httpd.server_address[1]}")
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


_HOME = "/user/test"
_WEBHDFS = "/webhdfs/v1"
_SESSION = "application_1_1"


@dataclass
class _Node:
    data: bytes
    modified: int
    permission: int = 0o644


class LocalWeir:
    """An HDFS and a session in this process, for ``with``. ``conf_dir`` is for HADOOP_CONF_DIR.

    >>> import weir
    >>> with LocalWeir() as local:
    ...     hdfs = weir.Hdfs.connect(local.conf_dir)
    ...     hdfs.write("/data/a", b"one two")
    ...     job = weir.Job.of(["sh", "-c", "wc -w < a > n"], ["/data/a"], ["/data/n"], id="count")
    ...     end = weir.Session.connect(hdfs=hdfs).submit(job)
    ...     int(local.wait_for("/data/n"))
    2
    """

    def __init__(self) -> None:
        self.files: dict[str, _Node] = {}
        self._changed = threading.Condition()
        self._jobs: dict[str, jobs.Job] = {}
        self._ends: dict[str, jobs.JobStatus] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._threads: list[threading.Thread] = []
        self._closing = ExitStack()
        self._directory = ""
        self.conf_dir = ""

    def __enter__(self) -> LocalWeir:
        """Starts the servers."""
        self._directory = self._closing.enter_context(tempfile.TemporaryDirectory())
        hdfs = self._closing.enter_context(serve(self._webhdfs))
        session = self._closing.enter_context(serve(self._session, KEY))
        endpoint = json.dumps({"url": session.url, "key": KEY}).encode()
        self._put(f"{_HOME}/.weir/sessions/{_SESSION}/endpoint.json", endpoint)
        self.conf_dir = self._directory
        address = hdfs.url[len("http://") :]
        settings = {"fs.defaultFS": "hdfs://127.0.0.1", "dfs.namenode.http-address": address}
        properties = "".join(
            f"<property><name>{name}</name><value>{value}</value></property>"
            for name, value in settings.items()
        )
        text = f"<configuration>{properties}</configuration>"
        pathlib.Path(self._directory, "core-site.xml").write_text(text)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Kills the jobs and stops the servers."""
        for id in list(self._jobs):
            self._cancel(id)
        for thread in self._threads:
            thread.join()
        self._closing.close()

    def wait_for(self, path: str) -> bytes:
        """Waits until a file exists; returns its content."""
        with self._changed:
            self._changed.wait_for(lambda: path in self.files)
            return self.files[path].data

    def _put(self, path: str, data: bytes) -> None:
        with self._changed:
            self.files[path] = _Node(data, int(time.time() * 1000))
            self._changed.notify_all()

    def _webhdfs(self, request: Request) -> Answer:
        path = request.path[len(_WEBHDFS) :]
        op = request.query["op"]
        if op == "GETHOMEDIRECTORY":
            return Answer(200, {"Path": _HOME})
        if op in ("OPEN", "CREATE", "APPEND") and "data" not in request.query:
            if op != "CREATE" and path not in self.files:
                return _missing(path)
            host = request.headers["host"]
            return Answer(307, b"", {"Location": f"http://{host}{request.target}&data=true"})
        if op == "CREATE":
            self._put(path, request.body)
            return Answer(201)
        if op == "APPEND":
            self._put(path, self.files[path].data + request.body)
            return Answer(200)
        if op == "DELETE":
            with self._changed:
                below = [each for each in self.files if self._is_at_or_below(each, path)]
                for each in below:
                    del self.files[each]
            return Answer(200, {"boolean": bool(below)})
        if op == "MKDIRS":
            return Answer(200, {"boolean": True})
        return self._of_existing(op, path, request.query)

    def _of_existing(self, op: str, path: str, query: dict[str, str]) -> Answer:
        with self._changed:
            node = self.files.get(path)
            below = [each for each in self.files if self._is_at_or_below(each, path)]
            if not below:
                return _missing(path)
            if op == "GETFILESTATUS":
                return Answer(200, {"FileStatus": _file_status("", node)})
            if op == "LISTSTATUS":
                names = {each[len(path.rstrip("/")) + 1 :].split("/")[0] for each in below}
                children = [
                    _file_status(name, self.files.get(f"{path.rstrip('/')}/{name}"))
                    for name in sorted(names)
                ]
                return Answer(200, {"FileStatuses": {"FileStatus": children}})
            assert node is not None, f"{op} of the directory {path}"
            if op == "OPEN":
                begin = int(query.get("offset", 0))
                end = begin + int(query.get("length", len(node.data)))
                return Answer(200, node.data[begin:end])
            if op == "SETPERMISSION":
                node.permission = int(query["permission"], 8)
            if op == "SETTIMES":
                node.modified = int(query["modificationtime"])
            if op == "RENAME":
                is_free = query["destination"] not in self.files
                if is_free:
                    self.files[query["destination"]] = self.files.pop(path)
                return Answer(200, {"boolean": is_free})
            return Answer(200)

    @staticmethod
    def _is_at_or_below(path: str, directory: str) -> bool:
        return path == directory or path.startswith(directory.rstrip("/") + "/")

    def _session(self, request: Request) -> Answer:
        id = request.path.rpartition("/")[2]
        if request.path == "/v1/session":
            return Answer(200, {"id": _SESSION, "name": "local", "mode": "weir"})
        if request.method == "POST":
            return self._submit(decode(jobs.Job, request.json(), "job"))
        if request.path == "/v1/jobs":
            return self._list(request.query)
        if id not in self._jobs:
            return Answer(404, {"message": f"No job '{id}' is known here"})
        if request.method == "DELETE":
            self._cancel(id)
        if "wait" in request.query:
            with self._changed:
                self._changed.wait_for(lambda: id in self._ends, float(request.query["wait"]))
        return Answer(200, encode(self._status(id)))

    def _submit(self, job: jobs.Job) -> Answer:
        with self._changed:
            known = self._jobs.get(job.id)
            if known is not None and known != job:
                return Answer(409, {"message": f"Another job has the id '{job.id}'"})
            if known is None:
                self._jobs[job.id] = job
                self._threads.append(threading.Thread(target=self._run, args=(job,)))
                self._threads[-1].start()
        return Answer(201, encode(self._status(job.id)))

    def _list(self, query: dict[str, str]) -> Answer:
        with self._changed:
            if "after" not in query:
                known = tuple(map(self._status, self._jobs))
                return Answer(200, encode(jobs.Jobs(known, len(self._ends))))
            after = int(query["after"])
            self._changed.wait_for(lambda: len(self._ends) > after, float(query["wait"]))
            ended = tuple(each for each in self._ends.values() if each.number > after)
            return Answer(200, encode(jobs.Jobs(ended, len(self._ends))))

    def _status(self, id: str) -> jobs.JobStatus:
        return self._ends.get(id) or jobs.JobStatus(id, jobs.JobState.RUNNING)

    def _cancel(self, id: str) -> None:
        self._end(jobs.JobStatus(id, jobs.JobState.CANCELLED, message="cancelled"))
        process = self._processes.get(id)
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    def _end(self, status: jobs.JobStatus) -> None:
        with self._changed:
            if status.id not in self._ends:
                number = len(self._ends) + 1
                self._ends[status.id] = jobs.JobStatus(
                    status.id,
                    status.state,
                    exit_code=status.exit_code,
                    message=status.message,
                    output_tail=status.output_tail,
                    node="localhost",
                    number=number,
                )
            self._changed.notify_all()

    def _run(self, job: jobs.Job) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: job.id in self._ends or all(each in self.files for each in job.inputs)
            )
        sandbox = tempfile.mkdtemp(dir=self._directory)
        names = {each.task_path: each.serv_path for each in job.files if not each.glob}
        inputs = [each for each in job.files if each.type is jobs.FileType.INPUT]
        for name in names:
            pathlib.Path(sandbox, name).parent.mkdir(parents=True, exist_ok=True)
        for each in inputs:
            pathlib.Path(sandbox, each.task_path).write_bytes(self.files[each.serv_path].data)
        if job.id in self._ends:
            return
        process = subprocess.Popen(
            job.command,
            cwd=sandbox,
            env={**os.environ, **job.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._processes[job.id] = process
        output, _ = process.communicate()
        tail = output[-2048:].decode(errors="replace")
        self._end(self._commit(job, sandbox, process.returncode, tail))

    def _commit(self, job: jobs.Job, sandbox: str, code: int, tail: str) -> jobs.JobStatus:
        failed = jobs.JobStatus(
            job.id,
            jobs.JobState.FAILED,
            exit_code=code,
            message=f"the command exited with {code}",
            output_tail=tail,
        )
        if code != 0 or job.id in self._ends:
            return failed
        outputs = [each for each in job.files if each.type is jobs.FileType.OUTPUT]
        inputs = {each.task_path for each in job.files if each.type is jobs.FileType.INPUT}
        for each in outputs:
            if each.glob:
                for found in pathlib.Path(sandbox).glob(each.task_path):
                    name = found.relative_to(sandbox).as_posix()
                    if found.is_file() and name not in inputs:
                        self._put(f"{each.serv_path}/{name}", found.read_bytes())
                continue
            file = pathlib.Path(sandbox, each.task_path)
            if not file.is_file():
                message = f"the output {each.task_path} is missing"
                return jobs.JobStatus(
                    job.id, jobs.JobState.FAILED, message=message, output_tail=tail
                )
            self._put(each.serv_path, file.read_bytes())
        return jobs.JobStatus(job.id, jobs.JobState.SUCCEEDED, exit_code=0, output_tail=tail)


def _missing(path: str) -> Answer:
    remote = {"exception": "FileNotFoundException", "message": f"{path} is missing"}
    return Answer(404, {"RemoteException": remote})


def _file_status(name: str, node: Optional[_Node]) -> dict[str, Any]:
    return {
        "pathSuffix": name,
        "type": "FILE" if node else "DIRECTORY",
        "length": len(node.data) if node else 0,
        "modificationTime": node.modified if node else 0,
        "permission": f"{node.permission:o}" if node else "755",
    }

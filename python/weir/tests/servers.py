"""Servers on a real port that answer as a test says."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Optional

from weir._signing import Signer

KEY = "00" * 32


@dataclass(frozen=True)
class Request:
    """A request that a server has received."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urllib.parse.urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.target).query))

    def json(self) -> Any:
        return json.loads(self.body)

    def is_signed(self, key: str) -> bool:
        """Whether the signature is that of a key."""
        header = self.headers["authorization"]
        return header == Signer(key).authorization(
            self.method, self.target, int(self._part("time")), self.nonce, self.body
        )

    @property
    def nonce(self) -> str:
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

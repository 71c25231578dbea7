"""HTTP without dependencies, and the operations that a server is known to have."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Protocol

from weir.errors import InvalidAnswerError


@dataclass(frozen=True)
class Operation:
    """An operation of a server, as its OpenAPI description names it.

    :param answers: the type of the answer of each status code of success; None for no body
    :param errors: the status codes of refusals; empty if the description leaves them open
    :param repeatable: whether sending a request twice has the same effect as sending it once
    """

    method: str
    path: str
    query: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    body: Any = None
    answers: Mapping[int, Any] = field(default_factory=dict)
    errors: tuple[int, ...] = ()
    repeatable: bool = True

    def target(self, id: str, query: Mapping[str, Any]) -> str:
        """Returns path and query of a request."""
        path = self.path.replace("{id}", urllib.parse.quote(id, safe=""))
        given = {name: str(value) for name, value in query.items() if value is not None}
        return path + ("?" + urllib.parse.urlencode(given) if given else "")


@dataclass(frozen=True)
class Response:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self, place: str) -> Any:
        """Parses the body."""
        try:
            return json.loads(self.body)
        except ValueError as e:
            begin = self.body[:80].decode(errors="replace")
            raise InvalidAnswerError(
                f"{place} answers {self.status} with no JSON but {begin!r}: is this the right"
                " address?"
            ) from e


class Transport(Protocol):
    """Sends one request; raises OSError if there is no answer."""

    def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout: float
    ) -> Response:
        """Returns the answer. Redirects are not followed."""


class HttpTransport:
    """Opens a connection for each request, past proxies. Thread-safe."""

    def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout: float
    ) -> Response:
        """Returns the answer."""
        parts = urllib.parse.urlsplit(url)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(parts.netloc, timeout=timeout)
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(method, target, body or None, dict(headers))
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Response(answer.status, names, answer.read())
        except http.client.HTTPException as e:
            raise ConnectionError(f"{url} does not answer with HTTP: {e!r}") from e
        finally:
            connection.close()


def error_text(response: Response, field: Optional[str] = "message") -> str:
    """Returns the message of a refusal, or its body if that is not JSON."""
    try:
        value = json.loads(response.body)
        return str(value[field])
    except (ValueError, KeyError, TypeError):
        return response.body.decode(errors="replace").strip() or f"HTTP status {response.status}"

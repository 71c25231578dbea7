"""What can go wrong, each with the place and the remedy in its message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from weir.jobs import JobStatus


class WeirError(Exception):
    """Base class of all errors of this package."""


class InvalidAnswerError(WeirError):
    """A server's answer cannot be understood, or is not signed with the session's key."""


class NoSessionError(WeirError):
    """No session, or several, match; or the session has ended."""


class HdfsError(WeirError):
    """HDFS refuses an operation."""


class HdfsNotFoundError(HdfsError):
    """A path does not exist in HDFS."""


class RequestError(WeirError):
    """A server refuses a request.

    ``status`` is the HTTP status code. ``field`` names the wrong part of a request to the hints
    service.
    """

    def __init__(self, status: int, message: str, field: Optional[str] = None) -> None:
        super().__init__(message)
        self.status = status
        self.field = field


class BadRequestError(RequestError):
    """400: the request cannot be understood."""


class UnauthorizedError(RequestError):
    """401: the request is not signed with the session's key, or the caller is unknown."""


class ForbiddenError(RequestError):
    """403: the caller may not do this."""


class NotFoundError(RequestError):
    """404: the server does not know what the request names."""


class ConflictError(RequestError):
    """409: another job has that id, the session is about to end, or others change the hint set."""


class PreconditionError(RequestError):
    """412: the hint set has another version."""


class TooLargeError(RequestError):
    """413: the request is too large."""


class RefusedError(RequestError):
    """422: the request is understood, and cannot be fulfilled here."""


class UnavailableError(RequestError):
    """503: the server cannot answer now; retry."""


class JobFailedError(WeirError):
    """A job has failed or was cancelled; ``status`` tells more."""

    def __init__(self, status: JobStatus) -> None:
        tail = f"\n{status.output_tail}" if status.output_tail else ""
        where = f" on {status.node}" if status.node else ""
        super().__init__(
            f"Job '{status.id}' {status.state.value}{where}"
            f" with exit code {status.exit_code}: {status.message}{tail}"
        )
        self.status = status


_BY_STATUS = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionError,
    413: TooLargeError,
    422: RefusedError,
    503: UnavailableError,
}


def refusal(status: int, message: str, field: Optional[str] = None) -> RequestError:
    """Returns the error of a status code."""
    return _BY_STATUS.get(status, RequestError)(status, message, field)

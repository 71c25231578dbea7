"""Weir for Python.

:class:`Session` submits jobs to a session, :class:`Executor` returns them as futures, and
:class:`HintsService` is a client of the hints service. :class:`AsyncSession` and
:class:`AsyncHintsService` are for asyncio.
"""

from weir import errors, hints, records
from weir.aio import AsyncHintsService, AsyncSession
from weir.errors import JobFailedError, RequestError, WeirError
from weir.executor import Executor, JobFuture
from weir.graph import Graph
from weir.hdfs import Hdfs
from weir.hints import Hint
from weir.jobs import File, Job, JobState, JobStatus
from weir.service import HintsService
from weir.session import Session

__all__ = [
    "AsyncHintsService",
    "AsyncSession",
    "Executor",
    "File",
    "Graph",
    "Hdfs",
    "Hint",
    "HintsService",
    "Job",
    "JobFailedError",
    "JobFuture",
    "JobState",
    "JobStatus",
    "RequestError",
    "Session",
    "WeirError",
    "errors",
    "hints",
    "records",
]

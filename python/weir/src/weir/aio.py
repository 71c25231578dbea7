"""The clients for asyncio: each call waits on a thread of the client's own."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Optional, TypeVar

from weir import hints, jobs, records
from weir.hdfs import Hdfs
from weir.service import HintsService
from weir.session import Session

T = TypeVar("T")


class _ThreadedClient:
    """Runs blocking calls of a client, at most ``threads`` at a time."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="weir")

    async def _run(self, call: Callable[..., T], *arguments: Any, **options: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._pool, functools.partial(call, *arguments, **options)
        )

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._pool.shutdown(wait=False)


class AsyncSession(_ThreadedClient):
    """:class:`weir.Session` for asyncio. Use it with ``async with``."""

    def __init__(self, session: Session, threads: int = 16) -> None:
        super().__init__(threads)
        self._session = session

    @staticmethod
    async def connect(session: str = "", hdfs: Optional[Hdfs] = None) -> AsyncSession:
        """Returns a client of one of the user's sessions."""
        return AsyncSession(await asyncio.to_thread(Session.connect, session, hdfs))

    async def __aenter__(self) -> AsyncSession:
        """Returns itself."""
        return self

    async def submit(self, job: jobs.Job) -> jobs.JobStatus:
        """Gives a job to the session."""
        return await self._run(self._session.submit, job)

    async def status(self, id: str) -> jobs.JobStatus:
        """Returns what is known of a job."""
        return await self._run(self._session.status, id)

    async def wait(self, id: str, timeout: Optional[float] = None) -> jobs.JobStatus:
        """Waits for the end of a job."""
        return await self._run(self._session.wait, id, timeout)

    async def ended(self, after: int = 0, wait: float = 0) -> jobs.Jobs:
        """Returns the jobs that ended after a number; waits for one if there is none."""
        return await self._run(self._session.ended, after, wait)

    async def list(self) -> tuple[jobs.JobStatus, ...]:
        """Returns the jobs that the session knows."""
        return await self._run(self._session.list)

    async def cancel(self, id: str) -> jobs.JobStatus:
        """Cancels a job, and those that need its outputs."""
        return await self._run(self._session.cancel, id)

    async def session(self) -> jobs.SessionStatus:
        """Returns how the session is."""
        return await self._run(self._session.session)

    async def stop(self, *, when_idle: bool = False) -> jobs.SessionStatus:
        """Stops the session."""
        return await self._run(self._session.stop, when_idle=when_idle)


class AsyncHintsService(_ThreadedClient):
    """The most used calls of :class:`weir.HintsService` for asyncio."""

    def __init__(self, service: HintsService, threads: int = 16) -> None:
        super().__init__(threads)
        self._service = service

    async def __aenter__(self) -> AsyncHintsService:
        """Returns itself."""
        return self

    async def put_hint(self, path: str, hint: hints.AnyHint) -> hints.Written:
        """Sets the hint of a path."""
        return await self._run(self._service.put_hint, path, hint)

    async def hint(self, path: str) -> hints.EffectiveHint:
        """Returns the hint that applies to a path."""
        return await self._run(self._service.hint, path)

    async def delete_hint(self, path: str) -> None:
        """Removes the hint of a path."""
        await self._run(self._service.delete_hint, path)

    async def put_hint_set(self, id: str, rules: hints.HintSetBody) -> hints.Written:
        """Creates or replaces a hint set."""
        return await self._run(self._service.put_hint_set, id, rules)

    async def locate(self, *paths: str) -> hints.Locations:
        """Returns the nodes of files."""
        return await self._run(self._service.locate, *paths)

    async def rank(self, *paths: str, limit: Optional[int] = None) -> hints.Ranking:
        """Ranks nodes by the bytes that they have of files."""
        return await self._run(self._service.rank, *paths, limit=limit)

    async def provenance(self, path: str) -> records.Lineage:
        """Returns how a file was made."""
        return await self._run(self._service.provenance, path)

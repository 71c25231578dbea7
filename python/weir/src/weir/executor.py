"""Jobs as futures."""

from __future__ import annotations

import dataclasses
import secrets
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Optional

from weir import errors
from weir.jobs import Files, Job, JobState, JobStatus
from weir.session import Session

_WAIT_SECONDS = 10.0


class JobFuture(Future[JobStatus]):
    """The end of a job.

    ``result`` raises JobFailedError if the job has failed, and CancelledError if it was cancelled.
    """

    def __init__(self, session: Session, id: str) -> None:
        super().__init__()
        self._session = session
        self.job_id = id

    def cancel(self) -> bool:
        """Cancels the job in the session; returns whether it had not ended."""
        if self.done():
            return self.cancelled()
        if self._session.cancel(self.job_id).state is not JobState.CANCELLED:
            return False
        # The executor's thread may have done it by now.
        return super().cancel()


class Executor:
    """Runs commands in a session, like :class:`concurrent.futures.Executor` runs functions.

    ``concurrent.futures.wait`` and ``as_completed`` take its futures. Leaving the ``with`` waits
    for all jobs; an exception cancels them first.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Condition()
        self._open: dict[str, JobFuture] = {}
        self._closed = False
        self._watcher: Optional[threading.Thread] = None

    def submit(
        self,
        command: Iterable[str],
        inputs: Files = (),
        outputs: Files = (),
        **options: Any,
    ) -> JobFuture:
        """Submits a job of a command with its inputs and outputs.

        :param inputs: paths in HDFS, each called by its last name in the command's directory, or a
            mapping of names in that directory to paths
        :param outputs: the same; written to HDFS if the command ends with 0
        :param options: those of :meth:`weir.Job.of`
        """
        return self.submit_job(Job.of(command, inputs, outputs, **options))

    def submit_job(self, job: Job) -> JobFuture:
        """Submits a job. An input may be the output of a job that has not ended.

        A job without an id gets a random one.
        """
        if not job.id:
            job = dataclasses.replace(job, id=f"job-{secrets.token_hex(16)}")
        future = JobFuture(self._session, job.id)
        with self._lock:
            if self._closed:
                raise RuntimeError("The executor is shut down: create another")
            known = self._open.get(job.id)
        if known is not None:
            self._session.submit(job)
            return known
        status = self._session.submit(job)
        if status.state.is_final:
            _complete(future, status)
            return future
        with self._lock:
            self._open[job.id] = future
            if self._watcher is None:
                self._watcher = threading.Thread(
                    target=self._watch, name="weir-executor", daemon=True
                )
                self._watcher.start()
            self._lock.notify_all()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more jobs, and waits for those that it has."""
        with self._lock:
            self._closed = True
            waiting = list(self._open.values())
            self._lock.notify_all()
        if cancel_futures:
            for future in waiting:
                try:
                    future.cancel()
                except errors.NotFoundError:
                    pass
        if wait and self._watcher is not None:
            self._watcher.join()

    def __enter__(self) -> Executor:
        """Returns itself."""
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Waits for all jobs; cancels them after an exception."""
        self.shutdown(wait=True, cancel_futures=kind is not None)

    def _watch(self) -> None:
        """Completes futures, with one request at a time for all jobs."""
        after = 0
        while self._has_jobs():
            try:
                answer = self._session.ended(after, _WAIT_SECONDS)
                ended: Iterable[JobStatus] = answer.jobs
                # A job that ended before it was entered is in no later answer.
                if not answer.jobs:
                    ended = self._unreported()
                after = answer.next
            except BaseException as e:
                self._fail(e)
                return
            for status in ended:
                self._end(status)

    def _unreported(self) -> list[JobStatus]:
        """Returns the ended jobs whose futures are not completed."""
        with self._lock:
            ids = set(self._open)
        return [each for each in self._session.list() if each.id in ids and each.state.is_final]

    def _has_jobs(self) -> bool:
        with self._lock:
            self._lock.wait_for(lambda: bool(self._open) or self._closed)
            return bool(self._open)

    def _end(self, status: JobStatus) -> None:
        with self._lock:
            future = self._open.pop(status.id, None)
        if future is not None:
            _complete(future, status)

    def _fail(self, error: BaseException) -> None:
        with self._lock:
            waiting, self._open = list(self._open.values()), {}
            self._closed = True
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)


def _complete(future: JobFuture, status: JobStatus) -> None:
    if status.state is JobState.CANCELLED:
        Future.cancel(future)
    # A cancelled future is in its final state already.
    if not future.set_running_or_notify_cancel():
        return
    if status.state is JobState.SUCCEEDED:
        future.set_result(status)
    else:
        future.set_exception(errors.JobFailedError(status))

"""Jobs that depend on each other by their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from weir import errors
from weir.jobs import Job, JobState, JobStatus
from weir.session import Session


@dataclass(frozen=True)
class Graph:
    """A graph of jobs. A job that reads what another writes comes after it.

    >>> a = Job.of(["make-a"], outputs=["/out/a"], id="a")
    >>> b = Job.of(["make-b"], inputs=["/out/a"], outputs=["/out/b"], id="b")
    >>> [job.id for job in Graph((b, a)).in_order()]
    ['a', 'b']
    >>> Graph((a, b)).readers("/out/a")
    ('b',)
    """

    jobs: tuple[Job, ...] = ()
    _makers: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _readers: dict[str, list[str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Checks that each job has its own id, and each file one maker."""
        ids = set()
        for job in self.jobs:
            if not job.id:
                raise ValueError(
                    f"The job {' '.join(job.command)!r} of a graph has no id: give it one"
                )
            if job.id in ids:
                raise ValueError(f"Two jobs of the graph have the id '{job.id}': rename one")
            ids.add(job.id)
            for path in job.inputs:
                self._readers.setdefault(path, []).append(job.id)
            for path in job.outputs:
                if path in self._makers:
                    raise ValueError(
                        f"The jobs '{self._makers[path]}' and '{job.id}' both write {path}: give"
                        " one of them another output"
                    )
                self._makers[path] = job.id

    def with_job(self, job: Job) -> Graph:
        """Returns a graph with one more job."""
        return replace(self, jobs=(*self.jobs, job))

    def maker(self, path: str) -> str:
        """Returns the id of the job that writes a path; empty for an input of the graph."""
        return self._makers.get(path, "")

    def readers(self, path: str) -> tuple[str, ...]:
        """Returns the ids of the jobs that read a path."""
        return tuple(self._readers.get(path, ()))

    def parents(self, job: Job) -> frozenset[str]:
        """Returns the ids of the jobs whose outputs a job reads."""
        return frozenset(filter(None, map(self.maker, job.inputs)))

    def in_order(self) -> Iterator[Job]:
        """Returns the jobs, each after those whose outputs it reads.

        :raises ValueError: if jobs wait for each other
        """
        left = list(self.jobs)
        done: set[str] = set()
        while left:
            ready = [job for job in left if self.parents(job) <= done]
            if not ready:
                raise ValueError(
                    "These jobs wait for each other: "
                    + ", ".join(job.id for job in left)
                    + ". Remove an input from one of them"
                )
            yield from ready
            done.update(job.id for job in ready)
            left = [job for job in left if job.id not in done]

    def submit(self, session: Session) -> tuple[JobStatus, ...]:
        """Gives all jobs to a session, which orders them by their files."""
        return tuple(session.submit(job) for job in self.in_order())

    def run(self, session: Session) -> tuple[JobStatus, ...]:
        """Submits all jobs and waits for them.

        :raises JobFailedError: if one has failed
        """
        self.submit(session)
        ends = tuple(session.wait(job.id) for job in self.jobs)
        raise_for_failure(ends)
        return ends

    def wfformat(self, name: str) -> dict[str, Any]:
        """Returns the graph in WfFormat, for :meth:`weir.HintsService.infer`.

        Files are named by their paths without the leading slash.
        """
        tasks: list[dict[str, Any]] = []
        sizes: dict[str, int] = {}
        for job in self.in_order():
            for file in (each for each in job.files if not each.glob):
                sizes.setdefault(file.serv_path[1:], file.size)
            tasks.append(
                {
                    "name": job.tag or job.id,
                    "id": job.id,
                    "parents": sorted(self.parents(job)),
                    "children": sorted(
                        {reader for path in job.outputs for reader in self.readers(path)}
                    ),
                    "inputFiles": [path[1:] for path in job.inputs],
                    "outputFiles": [path[1:] for path in job.outputs],
                }
            )
        files = [{"id": id, "sizeInBytes": size} for id, size in sizes.items()]
        return {
            "name": name,
            "schemaVersion": "1.5",
            "workflow": {"specification": {"tasks": tasks, "files": files}},
        }


def raise_for_failure(ends: Iterable[JobStatus]) -> None:
    """Raises the failure of the job that failed first, not of those that failed because of it."""
    failed = [each for each in ends if each.state is not JobState.SUCCEEDED]
    if failed:
        raise errors.JobFailedError(min(failed, key=lambda each: each.number))

"""Jobs of a session, their status, and the session's own."""

from __future__ import annotations

import enum
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Optional, Union

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class FileType(enum.Enum):
    """Whether a job reads or writes a file."""

    INPUT = "INPUT"
    OUTPUT = "OUTPUT"


class Binding(enum.Enum):
    """How a job gets an input: read-only, or as a copy that it may alter."""

    LINK = "LINK"
    COPY = "COPY"


@dataclass(frozen=True)
class File:
    """A file of a job.

    >>> File.input("/data/a.fa").task_path
    'a.fa'

    :param serv_path: absolute path in HDFS
    :param task_path: relative path in the sandbox
    :param size: a guess in bytes; 0 if unknown
    :param hint: of an output, such as ``broadcast=4``
    :param intermediate: of an output that only later jobs of the session read; it may stay on a
        node, and HDFS need not have it
    :param glob: whether ``task_path`` is a pattern of outputs, and ``serv_path`` their directory
    """

    type: FileType
    serv_path: str = field(metadata={"json": "serv_path"})
    task_path: str = field(metadata={"json": "task_path"})
    binding: Binding = Binding.LINK
    size: int = 0
    tag: str = ""
    hint: str = ""
    intermediate: bool = False
    glob: bool = False

    def __post_init__(self) -> None:
        """Checks the paths."""
        if not self.serv_path.startswith("/") or not _is_normal(self.serv_path[1:]):
            raise ValueError(
                f"{self.serv_path!r} is no path in HDFS for a job: write an absolute one without"
                " '.', '..', doubled slashes and scheme"
            )
        if not _is_normal(self.task_path):
            raise ValueError(
                f"{self.task_path!r} is no name for a file in the sandbox: write a relative path"
                " without '.', '..' and doubled slashes"
            )

    @staticmethod
    def input(path: str, name: str = "", *, copy: bool = False, size: int = 0) -> File:
        """Returns an input, called as in HDFS if no name is given."""
        binding = Binding.COPY if copy else Binding.LINK
        return File(FileType.INPUT, path, name or posixpath.basename(path), binding, size)

    @staticmethod
    def output(
        path: str, name: str = "", *, hint: str = "", size: int = 0, intermediate: bool = False
    ) -> File:
        """Returns an output, called as in HDFS if no name is given."""
        return File(
            FileType.OUTPUT,
            path,
            name or posixpath.basename(path),
            size=size,
            hint=hint,
            intermediate=intermediate,
        )

    @staticmethod
    def found(directory: str, pattern: str) -> File:
        """Returns the outputs that match a pattern when the command has ended.

        >>> File.found("/out", "*.txt").glob
        True
        """
        return File(FileType.OUTPUT, directory, pattern, glob=True)


def _is_normal(path: str) -> bool:
    return all(part not in ("", ".", "..") for part in path.split("/"))


Files = Union[Mapping[str, str], Iterable[Union[str, File]]]
"""Files as paths in HDFS, as :class:`File`, or as a mapping of sandbox names to paths in HDFS."""


def files(type: FileType, given: Files) -> tuple[File, ...]:
    """Returns files of a job.

    >>> [f.task_path for f in files(FileType.INPUT, {"in.txt": "/data/a.txt"})]
    ['in.txt']
    """
    if isinstance(given, str):
        raise TypeError(f"Write [{given!r}], a list of files, not a single text")
    make = File.input if type is FileType.INPUT else File.output
    if isinstance(given, Mapping):
        return tuple(make(path, name) for name, path in given.items())
    made = tuple(make(each) if isinstance(each, str) else each for each in given)
    for file in made:
        if file.type is not type:
            raise ValueError(f"{file.serv_path} is an {file.type.value}, given as {type.value}")
    return made


@dataclass(frozen=True)
class Job:
    """A command and its files.

    >>> Job.of(["sh", "-c", "wc a.fa > a.out"], ["/data/a.fa"], ["/out/a.out"], id="a").inputs
    ('/data/a.fa',)

    :param id: the same id is the same job; the session makes one up if it is empty
    :param tag: the kind of job, from which the session learns
    :param environment: beside the variables that the session sets
    :param cores: 0 if unknown
    :param memory_mb: 0 if unknown
    :param wall_time: seconds after which an attempt is killed; 0 for no limit
    :param runtime_seconds: a guess; 0 if unknown
    :param priority: jobs with a higher one go first
    :param attempts: failed attempts after which the job fails, 1 to 100
    :param container: the image that the command runs in: the name of an input (.tar, .tar.gz or
        .sif), or a name that the nodes' container runtime finds; empty for none
    :param containers: in how many containers it runs, as MPI programs do, each with the cores,
        memory and resources
    :param resources: amounts of YARN's further resource types, such as ``{"yarn.io/gpu": 1}``
    """

    id: str = ""
    tag: str = ""
    executable: str = ""
    arguments: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    cores: int = 0
    memory_mb: int = 0
    wall_time: int = 0
    runtime_seconds: float = 0.0
    priority: int = 0
    attempts: int = 1
    container: str = ""
    containers: int = 1
    resources: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Checks what can be checked without the session."""
        if self.id and not _ID.fullmatch(self.id):
            raise ValueError(
                f"{self.id!r} is no id of a job: begin with a letter or digit and go on with"
                " those, '.', '_' and '-', 128 at most"
            )
        if not self.command and not self.executable:
            raise ValueError(f"Job '{self.id}' has no command: give the program and its arguments")
        if not 1 <= self.attempts <= 100:
            raise ValueError(f"Job '{self.id}' has {self.attempts} attempts: give 1 to 100")

    @staticmethod
    def of(
        command: Iterable[str],
        inputs: Files = (),
        outputs: Files = (),
        *,
        id: str = "",
        tag: str = "",
        environment: Optional[Mapping[str, str]] = None,
        cores: int = 0,
        memory_mb: int = 0,
        wall_time: int = 0,
        runtime_seconds: float = 0.0,
        priority: int = 0,
        attempts: int = 1,
        container: str = "",
        containers: int = 1,
        resources: Optional[Mapping[str, int]] = None,
    ) -> Job:
        """Returns a job of a command with its inputs and outputs."""
        if isinstance(command, str):
            raise TypeError(f"Write ['sh', '-c', {command!r}]: a command is a list of words")
        return Job(
            id=id,
            tag=tag,
            command=tuple(command),
            environment=dict(environment or {}),
            files=files(FileType.INPUT, inputs) + files(FileType.OUTPUT, outputs),
            cores=cores,
            memory_mb=memory_mb,
            wall_time=wall_time,
            runtime_seconds=runtime_seconds,
            priority=priority,
            attempts=attempts,
            container=container,
            containers=containers,
            resources=dict(resources or {}),
        )

    @property
    def inputs(self) -> tuple[str, ...]:
        """The paths in HDFS that the job reads."""
        return tuple(f.serv_path for f in self.files if f.type is FileType.INPUT)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The paths in HDFS that the job writes, without those that patterns find."""
        return tuple(f.serv_path for f in self.files if f.type is FileType.OUTPUT and not f.glob)


class JobState(enum.Enum):
    """The state of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether the job has ended."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True)
class JobStatus:
    """What a session knows of a job. Times are milliseconds since the epoch, 0 while unknown."""

    id: str
    state: JobState
    tag: str = ""
    attempts: int = 0
    exit_code: int = -1
    message: str = ""
    output_tail: str = ""
    number: int = 0
    node: str = ""
    submitted_millis: int = 0
    started_millis: int = 0
    ended_millis: int = 0
    run_millis: int = 0
    input_bytes_local: int = 0
    input_bytes_remote: int = 0
    output_bytes: int = 0


@dataclass(frozen=True)
class Jobs:
    """Jobs in their order; ``next`` is for the next call of :meth:`Session.ended`."""

    jobs: tuple[JobStatus, ...]
    next: int = 0


class Mode(enum.Enum):
    """How a session places its jobs."""

    STOCK = "stock"
    LOCALITY = "locality"
    WEIR = "weir"


@dataclass(frozen=True)
class SessionStatus:
    """How a session is. ``failed`` counts cancelled jobs, too."""

    id: str
    name: str
    mode: Mode
    queued: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    workers: int = 0
    wanted_workers: int = 0
    runs: int = 0
    most_workers: int = 0
    worker_cores: int = 0
    worker_memory_mb: int = 0


class RunState(enum.Enum):
    """The state of a run."""

    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True)
class RunSubmission:
    """Names a run whose plan ``weir run`` has written to HDFS."""

    id: str


@dataclass(frozen=True)
class SessionRun:
    """A run of a session."""

    id: str
    state: RunState


@dataclass(frozen=True)
class RunProgress:
    """A run of a session, and how many of its tasks are done."""

    id: str
    state: RunState
    tasks: int = 0
    done: int = 0


@dataclass(frozen=True)
class RunList:
    """The runs of a session."""

    runs: tuple[RunProgress, ...] = ()


@dataclass(frozen=True)
class ErrorMessage:
    """Why a session refuses a request."""

    message: str = ""

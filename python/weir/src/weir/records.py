"""Records of runs, and how files were made. A record of attempts may be written, too."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from typing import Any, Optional

from weir.jobs import RunState


class Outcome(enum.Enum):
    """How an attempt ended."""

    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    LOST = "LOST"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True)
class RunHead:
    """Begins or changes a run of another engine."""

    workflow: str
    mode: str
    state: RunState
    data_dir: str
    stand_in: bool
    started: datetime.datetime
    ended: Optional[datetime.datetime] = None
    failure: str = ""
    owner: str = ""


@dataclass(frozen=True)
class RunPut:
    """A run that was begun or changed."""

    id: str
    state: RunState


@dataclass(frozen=True)
class Run:
    """A run and its totals; ``heard`` is the time of its last report."""

    id: str
    owner: str
    workflow: str
    mode: str
    state: RunState
    data_dir: str
    started: datetime.datetime
    heard: datetime.datetime
    stand_in: bool = False
    ended: Optional[datetime.datetime] = None
    failure: str = ""
    tasks: int = 0
    tasks_done: int = 0
    attempts: int = 0
    input_bytes_local: int = 0
    input_bytes_remote: int = 0
    output_bytes: int = 0
    cpu_millis: int = 0
    peak_memory_bytes: int = 0


@dataclass(frozen=True)
class RunPage:
    """Runs; ``next`` is for ``after`` of the next call, None at the end."""

    runs: tuple[Run, ...]
    next: Optional[str] = None


@dataclass(frozen=True)
class RecordedFile:
    """A file with its declared size."""

    id: str
    bytes: int


@dataclass(frozen=True)
class RecordedTask:
    """A task of a run."""

    id: str
    type: str
    cores: int
    memory_bytes: int
    command: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class AttemptTimes:
    """Durations of an attempt in milliseconds."""

    stage_in_local: int
    stage_in_remote: int
    run: int
    stage_out: int


@dataclass(frozen=True)
class AttemptBytes:
    """Bytes that an attempt read and wrote."""

    input_local: int
    input_remote: int
    output: int
    output_remote: int


@dataclass(frozen=True)
class Effort:
    """Processor time and peak memory of a command; 0 bytes if it ended before it was measured."""

    cpu_millis: int
    peak_memory_bytes: int


@dataclass(frozen=True)
class UsedFile:
    """A file that an attempt read or wrote."""

    id: str
    output: bool
    bytes: Optional[int] = None
    crc32c: str = ""
    on_node: bool = False


@dataclass(frozen=True)
class RecordedAttempt:
    """An attempt that has ended."""

    task: str
    attempt: int
    worker: str
    node: str
    outcome: Outcome
    exit_code: int
    ready: datetime.datetime
    dispatched: datetime.datetime
    times: AttemptTimes
    bytes: AttemptBytes
    effort: Optional[Effort] = None
    files: tuple[UsedFile, ...] = ()


@dataclass(frozen=True)
class RecordedWorker:
    """A worker of a run."""

    id: str
    node: str
    rack: str
    started: datetime.datetime
    ended: datetime.datetime


@dataclass(frozen=True)
class RunPart:
    """A part of a record; it may be sent again."""

    files: tuple[RecordedFile, ...] = ()
    tasks: tuple[RecordedTask, ...] = ()
    attempts: tuple[RecordedAttempt, ...] = ()
    workers: tuple[RecordedWorker, ...] = ()


@dataclass(frozen=True)
class RunPartTaken:
    """How much of a part was taken."""

    id: str
    files: int
    tasks: int
    attempts: int
    workers: int


@dataclass(frozen=True)
class WfFormat:
    """A run in WfFormat."""

    name: str
    schema_version: str = field(metadata={"json": "schemaVersion"})
    workflow: dict[str, Any]


class Verdict(enum.Enum):
    """Whether a file in HDFS is the one that a run has made."""

    SAME = "SAME"
    LIKELY = "LIKELY"
    CHANGED = "CHANGED"
    GONE = "GONE"
    ON_NODE = "ON_NODE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class FileNow:
    """A file as it is now in HDFS."""

    exists: bool
    bytes: int
    modified: Optional[datetime.datetime] = None
    crc32c: str = ""


@dataclass(frozen=True)
class MadeFile:
    """A version of a file; ``made_by`` is the key of an attempt."""

    key: str
    path: str
    bytes: Optional[int] = None
    crc32c: str = ""
    made_by: str = ""
    note: str = ""


@dataclass(frozen=True)
class MakingAttempt:
    """An attempt by which files were made; ``used`` and ``made`` are keys of files."""

    key: str
    run: str
    owner: str
    task: str
    type: str
    attempt: int
    outcome: str
    command: tuple[str, ...]
    worker: str
    node: str
    dispatched: datetime.datetime
    ended: datetime.datetime
    run_millis: int
    used: tuple[str, ...]
    untold: int
    made: tuple[str, ...]
    effort: Optional[Effort] = None


@dataclass(frozen=True)
class MakingRun:
    """A run by which files were made."""

    id: str
    owner: str
    workflow: str
    mode: str
    state: RunState
    stand_in: bool
    started: datetime.datetime
    ended: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class Lineage:
    """How a file was made: the first of ``files``, and all that it comes from."""

    path: str
    now: FileNow
    verdict: Verdict
    note: str
    files: tuple[MadeFile, ...]
    attempts: tuple[MakingAttempt, ...]
    runs: tuple[MakingRun, ...]
    truncated: bool

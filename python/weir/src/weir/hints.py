"""Hints, hint sets and locations of files."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from typing import Any, Optional, Union


class PlacementKind(enum.Enum):
    """Where a file's blocks go."""

    LOCAL = "local"
    SPREAD = "spread"
    COLLOCATE = "collocate"
    SCATTER = "scatter"
    NODES = "nodes"


@dataclass(frozen=True)
class Placement:
    """Where a file's blocks go: ``group`` is for collocate, ``hosts`` for nodes."""

    kind: PlacementKind
    group: str = ""
    spread: int = 0
    region_bytes: int = 0
    hosts: tuple[str, ...] = ()


class ReplicationMode(enum.Enum):
    """Whether replicas are made by the write or later."""

    EAGER = "eager"
    LAZY = "lazy"


@dataclass(frozen=True)
class AutoRange:
    """Bounds of a file's replicas: 0 as ``min`` is the file's own number, 0 as ``max`` is 8."""

    min: int = 0
    max: int = 0


@dataclass(frozen=True)
class Replication:
    """How many replicas, and when; 0 is the file's own number.

    Either ``mode``, or ``auto`` if the replicas follow the file's use.
    """

    mode: Optional[ReplicationMode] = None
    target: int = 0
    auto: Optional[AutoRange] = None


@dataclass(frozen=True)
class Lifetime:
    """Whether a file is temporary; ``expiry`` is a duration such as PT12H."""

    temporary: bool
    expiry: str = ""


@dataclass(frozen=True)
class Hint:
    """How a file will be used.

    A request takes a short text such as ``pipeline`` in place of a hint.
    """

    placement: Optional[Placement] = None
    replication: Optional[Replication] = None
    block_size: int = 0
    lifetime: Optional[Lifetime] = None
    cache: bool = False


AnyHint = Union[Hint, str]
"""A hint, or its short text."""


@dataclass(frozen=True)
class Rule:
    """A hint for the paths that match a pattern."""

    pattern: str
    hint: Any

    @staticmethod
    def of(pattern: str, hint: AnyHint) -> Rule:
        """Returns a rule."""
        return Rule(pattern, hint)


@dataclass(frozen=True)
class HintSetBody:
    """A hint set to write. Without ``owner`` it is the caller's."""

    rules: tuple[Rule, ...] = field(metadata={"always": True})
    id: str = ""
    owner: str = ""
    expires: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class HintSetPatch:
    """Changes of a hint set: rules to add or replace, and patterns to remove."""

    rules: tuple[Rule, ...] = ()
    remove: tuple[str, ...] = ()
    expires: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class KeepAlive:
    """A new expiry of a hint set: ``for_`` is a duration such as 12h."""

    for_: str = ""
    expires: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class StoredRule:
    """A rule of a stored hint set; ``text`` is the short text of the hint."""

    pattern: str
    hint: Hint
    text: str


@dataclass(frozen=True)
class HintSet:
    """A stored hint set."""

    id: str
    owner: str
    version: int
    rules: tuple[StoredRule, ...]
    expires: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class HintSetSummary:
    """A stored hint set without its rules."""

    id: str
    owner: str
    rules: int
    version: int
    expires: Optional[datetime.datetime] = None


@dataclass(frozen=True)
class HintSetPage:
    """Hint sets; ``next`` is for ``after`` of the next call, None at the end."""

    hint_sets: tuple[HintSetSummary, ...]
    next: Optional[str] = None


@dataclass(frozen=True)
class Watcher:
    """A process that follows hints."""

    role: str
    host: str
    process: int
    version: int
    behind: bool
    active: Optional[bool] = None


@dataclass(frozen=True)
class Watchers:
    """The processes that follow hints, and the latest version."""

    version: int
    watchers: tuple[Watcher, ...]


@dataclass(frozen=True)
class Written:
    """A change of a hint set. ``applied`` is set if the call waited for the NameNode."""

    id: str
    owner: str
    version: int
    rules: int
    expires: Optional[datetime.datetime] = None
    pattern: str = ""
    warnings: tuple[str, ...] = ()
    applied: Optional[bool] = None
    watchers: tuple[Watcher, ...] = ()


@dataclass(frozen=True)
class EffectiveHint:
    """The hint that applies to a path, and the rule that it is from."""

    path: str
    hint: Hint
    text: str
    set: str
    owner: str
    pattern: str
    version: int


@dataclass(frozen=True)
class Paths:
    """Paths to locate."""

    paths: tuple[str, ...] = field(metadata={"always": True})


@dataclass(frozen=True)
class RankedPaths:
    """Paths by which nodes are ranked."""

    paths: tuple[str, ...] = field(metadata={"always": True})
    limit: Optional[int] = None


@dataclass(frozen=True)
class Node:
    """A node and its bytes of a file."""

    host: str
    rack: str
    bytes: int
    cached_bytes: int


class LocationError(enum.Enum):
    """Why a file has no locations."""

    NOT_FOUND = "not-found"
    NOT_READABLE = "not-readable"
    IS_DIRECTORY = "is-directory"


@dataclass(frozen=True)
class FileLocations:
    """The nodes of a file, or why there are none."""

    path: str
    bytes: int = 0
    blocks: int = 0
    nodes: tuple[Node, ...] = ()
    error: Optional[LocationError] = None


@dataclass(frozen=True)
class Locations:
    """The nodes of files, in the order of the request."""

    files: tuple[FileLocations, ...]
    namenode_calls: int


@dataclass(frozen=True)
class RankedNode:
    """A node and its bytes of files; ``expected`` if hints will bring them there."""

    host: str
    rack: str
    bytes: int
    cached_bytes: int
    expected: bool = False


@dataclass(frozen=True)
class Ranking:
    """Nodes by their bytes of files, the best first."""

    nodes: tuple[RankedNode, ...]
    bytes: int
    missing: tuple[str, ...]
    namenode_calls: int


@dataclass(frozen=True)
class InferredRule:
    """A rule that a workflow implies, and why."""

    pattern: str
    hint: Hint
    text: str
    reason: str


@dataclass(frozen=True)
class InferredRules:
    """The rules that a workflow implies."""

    rules: tuple[InferredRule, ...]


@dataclass(frozen=True)
class ExplainedRule:
    """The rule that applies to an explained path."""

    set: str
    owner: str
    pattern: str
    hint: Hint
    text: str
    version: int


@dataclass(frozen=True)
class Wanted:
    """Where the hint wants a file; 0 replicas if it does not say."""

    replicas: int
    nodes: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Block:
    """A block of a file."""

    offset: int
    length: int
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Actual:
    """Where a file is."""

    exists: bool
    bytes: int
    replication: int
    block_size: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Difference:
    """What differs between hint and file, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Use:
    """How a file under ``auto`` is used. Reads and writes are counts that decay with time.

    ``utility`` is that of one more replica. ``why`` explains the number of replicas.
    """

    reads: float
    writes: float
    utility: float
    why: str


@dataclass(frozen=True)
class Explanation:
    """Why a file is where it is. ``use`` is None for a file that is not under ``auto``."""

    path: str
    rule: Optional[ExplainedRule]
    wanted: Wanted
    actual: Actual
    differences: tuple[Difference, ...]
    use: Optional[Use] = None


@dataclass(frozen=True)
class ReplicaChange:
    """A planned change of a file's replicas; ``own`` is the number that its owner has set."""

    path: str
    own: int
    from_: int
    to: int
    utility: float


@dataclass(frozen=True)
class AutoPlan:
    """The replicas that the last round plans for files under ``auto``.

    ``plan`` has the first 1,000 of all ``changes``. ``bytes`` is the size of all copies, and
    ``budget`` the most that it may be. ``price`` is the highest preference of a copy that exceeds
    the budget, or 0. Without ``counts_established``, NameNodes have counted for less than a
    half-life.
    """

    time: datetime.datetime
    namenodes_counting: int
    counts_established: bool
    files: int
    budget: int
    bytes: int
    price: float
    changes: int
    plan: tuple[ReplicaChange, ...]


@dataclass(frozen=True)
class FileUse:
    """Counted accesses to a file, which decay with time."""

    path: str
    reads: float
    writes: float


@dataclass(frozen=True)
class UseProfile:
    """Counted accesses to files under ``auto``."""

    files: tuple[FileUse, ...]


@dataclass(frozen=True)
class UseProfileSize:
    """The number of files of a profile that were added."""

    files: int


class ServiceState(enum.Enum):
    """The state of an instance of the hints service."""

    NEW = "new"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"


@dataclass(frozen=True)
class StoreStatus:
    """The hints as an instance knows them."""

    connected: bool
    age_ms: int
    version: int
    sets: int
    rules: int
    bytes: int
    bytes_limit: int
    sets_left_out: int


@dataclass(frozen=True)
class ServiceStatus:
    """An instance of the hints service."""

    state: ServiceState
    leader: bool
    leader_id: str
    store: StoreStatus


@dataclass(frozen=True)
class Problem:
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    field: Optional[str]
    allowed: tuple[str, ...] = ()

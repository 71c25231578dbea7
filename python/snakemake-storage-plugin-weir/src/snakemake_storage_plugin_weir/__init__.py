"""Files of Snakemake workflows in HDFS.

Where ``snakemake`` runs, an object is a file in HDFS, read and written by WebHDFS. In a job of
snakemake-executor-plugin-weir it is the local copy, because the session's worker stages inputs and
outputs; the variable ``WEIR_SNAKEMAKE_SANDBOX`` says so. A directory is one archive beside the
path, ``PATH.directory.tar``.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_storage_plugins.io import (
    IOCacheStorageInterface,
    Mtime,
    get_constant_prefix,
)
from snakemake_interface_storage_plugins.storage_object import (
    StorageObjectGlob,
    StorageObjectRead,
    StorageObjectTouch,
    StorageObjectWrite,
)
from snakemake_interface_storage_plugins.storage_provider import (
    ExampleQuery,
    Operation,
    QueryType,
    StorageProviderBase,
    StorageQueryValidationResult,
)

import weir
from weir.errors import HdfsNotFoundError
from weir.hdfs import FileStatus

SANDBOX = "WEIR_SNAKEMAKE_SANDBOX"
"""The environment variable that is set in jobs."""

ARCHIVE = ".directory.tar"
"""Behind the path of a directory, the name of its archive."""

_SCHEME = "hdfs://"
_WRITABLE = 0o200


class StorageProvider(StorageProviderBase):
    """HDFS, or the sandbox of a job."""

    def __post_init__(self) -> None:
        """Connects to HDFS at first use."""
        self._hdfs: weir.Hdfs | None = None

    @property
    def hdfs(self) -> weir.Hdfs:
        """The cluster of HADOOP_CONF_DIR."""
        if self._hdfs is None:
            try:
                self._hdfs = weir.Hdfs.connect()
            except weir.WeirError as e:
                raise WorkflowError(str(e)) from e
        return self._hdfs

    @classmethod
    def example_queries(cls) -> list[ExampleQuery]:
        """Returns an example."""
        return [
            ExampleQuery(
                query="hdfs:///user/alice/workflow/a.txt",
                type=QueryType.ANY,
                description="A file or a directory of the cluster's default file system",
            )
        ]

    def rate_limiter_key(self, query: str, operation: Operation) -> Any:
        """Returns the key of a limit that is not used."""
        return "hdfs"

    def default_max_requests_per_second(self) -> float:
        """Returns the limit that is not used."""
        return 1000.0

    def use_rate_limiter(self) -> bool:
        """Whether to limit requests: the NameNode answers thousands a second."""
        return False

    @classmethod
    def is_valid_query(cls, query: str) -> StorageQueryValidationResult:
        """Checks that a query is an absolute path in the default file system."""
        path = query.removeprefix(_SCHEME)
        parts = path.split("/")[1:]
        valid = (
            query.startswith(_SCHEME)
            and path.startswith("/")
            and all(part not in ("", ".", "..") for part in parts)
        )
        return StorageQueryValidationResult(
            query=query,
            valid=valid,
            reason=None
            if valid
            else "write hdfs:///PATH, an absolute path in the cluster's default file system"
            " without '.', '..' and doubled slashes",
        )

    def postprocess_query(self, query: str) -> str:
        """Removes the slashes that a prefix with a slash at its end leaves."""
        head, path = query[: len(_SCHEME)], query[len(_SCHEME) :]
        return head + path.replace("//", "/") if head == _SCHEME else query


class _Backend(Protocol):
    """What a storage object needs: HDFS or the sandbox."""

    def status(self, path: str, local: Path) -> FileStatus | None: ...

    def retrieve(self, path: str, local: Path) -> None: ...

    def store(self, path: str, local: Path) -> None: ...

    def remove(self, path: str, local: Path) -> None: ...

    def touch(self, path: str, local: Path) -> None: ...


class _InHdfs:
    """A file in HDFS."""

    def __init__(self, hdfs: weir.Hdfs) -> None:
        self._hdfs = hdfs

    def status(self, path: str, local: Path) -> FileStatus | None:
        try:
            return self._hdfs.status(path)
        except HdfsNotFoundError:
            return None

    def retrieve(self, path: str, local: Path) -> None:
        local.parent.mkdir(parents=True, exist_ok=True)
        status = self._hdfs.status(path)
        if status.is_directory:
            for each in self._hdfs.files(path):
                self.retrieve(f"{path}/{each}", local / each)
            return
        self._hdfs.download(path, local)
        seconds = status.modified_millis / 1000
        os.utime(local, (seconds, seconds))

    def store(self, path: str, local: Path) -> None:
        self._hdfs.upload(local, path)

    def remove(self, path: str, local: Path) -> None:
        status = self._hdfs.status(path)
        if not status.permission & _WRITABLE:
            raise WorkflowError(protected_message(path))
        self._hdfs.delete(path, recursive=True)

    def touch(self, path: str, local: Path) -> None:
        with tempfile.NamedTemporaryFile() as now:
            millis = int(os.stat(now.name).st_mtime * 1000)
        self._hdfs.touch(path, millis)


class _InSandbox:
    """A local file that the worker has staged, or will commit."""

    def status(self, path: str, local: Path) -> FileStatus | None:
        try:
            stat = local.stat()
        except FileNotFoundError:
            return None
        millis = int(stat.st_mtime * 1000)
        return FileStatus(local.name, local.is_dir(), stat.st_size, millis, stat.st_mode & 0o777)

    def retrieve(self, path: str, local: Path) -> None:
        if not local.exists():
            raise WorkflowError(
                f"{path} is no declared input of this job: add it to the input of the rule"
            )

    def store(self, path: str, local: Path) -> None:
        pass

    def remove(self, path: str, local: Path) -> None:
        if local.is_dir():
            shutil.rmtree(local)
        else:
            local.unlink(missing_ok=True)

    def touch(self, path: str, local: Path) -> None:
        local.touch()


def protected_message(path: str) -> str:
    """Returns why a write-protected file is not replaced, and the remedy."""
    return (
        f"{path} is write-protected in HDFS: make it again after 'hdfs dfs -chmod u+w {path}', or"
        " leave it"
    )


class StorageObject(StorageObjectRead, StorageObjectWrite, StorageObjectGlob, StorageObjectTouch):
    """A file or a directory in HDFS."""

    def __post_init__(self) -> None:
        """Takes the path from the query."""
        self.path = self.query.removeprefix(_SCHEME)
        if SANDBOX in os.environ:
            # The worker commits the local copies of outputs after the job.
            self.keep_local = True

    async def inventory(self, cache: IOCacheStorageInterface) -> None:
        """Caches existence, modification time and length, by one request for each object."""
        key = self.cache_key()
        if SANDBOX in os.environ or key in cache.exists_in_storage:
            return
        status = self._status()
        cache.exists_in_storage[key] = status is not None
        if status is not None:
            cache.mtime[key] = Mtime(storage=status.modified_millis / 1000)
            cache.size[key] = 0 if status.is_directory else status.length

    def get_inventory_parent(self) -> str | None:
        """Returns None: each object is asked for by itself."""
        return None

    def local_suffix(self) -> str:
        """Returns the path below the local copies of the provider."""
        return str(self.path.lstrip("/"))

    def cleanup(self) -> None:
        """Does nothing, because an object has only its local copy."""

    def exists(self) -> bool:
        """Whether the file, the directory or its archive exists."""
        return self._status() is not None

    def mtime(self) -> float:
        """Returns the modification time in seconds."""
        return self._existing().modified_millis / 1000

    def size(self) -> int:
        """Returns the length of a file or of the archive of a directory; 0 for a directory."""
        status = self._existing()
        return 0 if status.is_directory else status.length

    def retrieve_object(self) -> None:
        """Makes the local copy."""
        local = self.local_path()
        backend = self._backend()
        if self._is_archived():
            archive = self._local_archive()
            backend.retrieve(self.path + ARCHIVE, archive)
            with tarfile.open(archive) as tar:
                tar.extractall(local, filter="data")
            if SANDBOX not in os.environ:
                archive.unlink()
        else:
            backend.retrieve(self.path, local)

    def store_object(self) -> None:
        """Stores the local copy, a directory as one archive."""
        local = self.local_path()
        backend = self._backend()
        if local.is_dir():
            archive = self._local_archive()
            with tarfile.open(archive, "w") as tar:
                for each in sorted(local.rglob("*")):
                    tar.add(each, str(each.relative_to(local)), recursive=False)
            backend.store(self.path + ARCHIVE, archive)
            if SANDBOX not in os.environ:
                archive.unlink()
        else:
            backend.store(self.path, local)

    def remove(self) -> None:
        """Removes the object, unless it is write-protected."""
        if self._is_archived():
            self._backend().remove(self.path + ARCHIVE, self._local_archive())
        else:
            self._backend().remove(self.path, self.local_path())

    def touch(self) -> None:
        """Sets the modification time to now."""
        if self._is_archived():
            self._backend().touch(self.path + ARCHIVE, self._local_archive())
        else:
            self._backend().touch(self.path, self.local_path())

    def list_candidate_matches(self) -> Iterable[str]:
        """Lists the files below the part of the query that has no wildcards."""
        if SANDBOX in os.environ:
            raise WorkflowError(
                f"The job asks for all files like {self.query}, and has only its declared inputs:"
                " call glob_wildcards for files that are inputs, or outside of run blocks"
            )
        prefix = get_constant_prefix(self.query, strip_incomplete_parts=True)
        directory = prefix.removeprefix(_SCHEME).rstrip("/") or "/"
        try:
            files = self.provider.hdfs.files(directory)
        except HdfsNotFoundError:
            return []
        return [f"{_SCHEME}{directory.rstrip('/')}/{each.removesuffix(ARCHIVE)}" for each in files]

    def _backend(self) -> _Backend:
        return _InSandbox() if SANDBOX in os.environ else _InHdfs(self.provider.hdfs)

    def _local_archive(self) -> Path:
        local: Path = self.local_path()
        return local.with_name(local.name + ARCHIVE)

    def _is_archived(self) -> bool:
        return (
            self._backend().status(self.path, self.local_path()) is None
            and self._backend().status(self.path + ARCHIVE, self._local_archive()) is not None
        )

    def _status(self) -> FileStatus | None:
        backend = self._backend()
        return backend.status(self.path, self.local_path()) or backend.status(
            self.path + ARCHIVE, self._local_archive()
        )

    def _existing(self) -> FileStatus:
        status = self._status()
        if status is None:
            raise FileNotFoundError(f"{self.path} does not exist")
        return status

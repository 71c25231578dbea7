"""The official suite of Snakemake's storage plugins, and what Weir's has beside it.

Runs against an HDFS in this process, or against the cluster of HADOOP_CONF_DIR if WEIR_TEST_HDFS is
a directory there.
"""

import logging
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_storage_plugins.tests import TestStorageBase

import weir
from snakemake_storage_plugin_weir import ARCHIVE, SANDBOX, StorageObject, StorageProvider
from weir.testing import LocalWeir

ROOT = f"{os.environ.get('WEIR_TEST_HDFS', '/test')}/{uuid.uuid4().hex}"


@pytest.fixture(autouse=True)
def hdfs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if "WEIR_TEST_HDFS" in os.environ:
        yield
        return
    with LocalWeir() as local:
        monkeypatch.setenv("HADOOP_CONF_DIR", local.conf_dir)
        yield


class Suite(TestStorageBase):
    """What all tests of the suite need."""

    files_only = False
    touch = True

    def get_query(self, tmp_path) -> str:
        return f"hdfs://{ROOT}/a.txt"

    def get_query_not_existing(self, tmp_path) -> str:
        return f"hdfs://{ROOT}/missing.txt"

    def get_storage_provider_cls(self):
        return StorageProvider


class TestInHdfs(Suite):
    """By WebHDFS."""

    __test__ = True


class TestInSandbox(Suite):
    """In a job, whose files are those of its sandbox."""

    __test__ = True
    # In a sandbox the local copy is the object, and the suite removes it.
    delete = False

    def test_storage(self, tmp_path) -> None:
        for name in ("file", "directory"):
            obj = self._get_obj(tmp_path, f"hdfs:///{name}")
            assert not obj.exists()
            write(obj.local_path() / "a" if name == "directory" else obj.local_path(), "text")
            obj.store_object()
            assert obj.exists() and obj.keep_local
            assert obj.mtime() > 0
            obj.retrieve_object()
            obj.remove()
            assert not obj.local_path().exists()

    @pytest.fixture(autouse=True)
    def sandbox(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SANDBOX, "1")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def stored(tmp_path: Path, query: str) -> StorageObject:
    provider = StorageProvider(tmp_path / "local", logging.getLogger("test"))
    return provider.object(query)


def test_directory_is_one_archive_and_unpacked_in_a_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = stored(tmp_path / "1", f"hdfs://{ROOT}/d")
    write(there.local_path() / "sub" / "a.txt", "text")
    (there.local_path() / "empty").mkdir()
    there.store_object()
    archive = weir.Hdfs.connect().read(f"{ROOT}/d{ARCHIVE}")

    monkeypatch.setenv(SANDBOX, "1")
    staged = stored(tmp_path / "2", f"hdfs://{ROOT}/d")
    local = staged.local_path()
    local.parent.mkdir(parents=True)
    local.with_name("d" + ARCHIVE).write_bytes(archive)
    assert staged.exists()
    staged.retrieve_object()
    assert (local / "sub" / "a.txt").read_text() == "text"
    assert (local / "empty").is_dir()


def test_directory_of_files_in_hdfs_is_retrieved(tmp_path: Path) -> None:
    hdfs = weir.Hdfs.connect()
    hdfs.write(f"{ROOT}/plain/a", b"a")
    hdfs.write(f"{ROOT}/plain/sub/b", b"b")
    there = stored(tmp_path, f"hdfs://{ROOT}/plain")
    there.retrieve_object()
    assert (there.local_path() / "sub" / "b").read_text() == "b"


def test_write_protected_file_is_not_removed(tmp_path: Path) -> None:
    hdfs = weir.Hdfs.connect()
    hdfs.write(f"{ROOT}/protected", b"a")
    hdfs.set_permission(f"{ROOT}/protected", 0o444)
    with pytest.raises(WorkflowError, match="hdfs dfs -chmod u.w"):
        stored(tmp_path, f"hdfs://{ROOT}/protected").remove()


def test_candidates_of_a_pattern_are_listed(tmp_path: Path) -> None:
    hdfs = weir.Hdfs.connect()
    for name in ("x1.txt", "x2.txt", f"d1{ARCHIVE}"):
        hdfs.write(f"{ROOT}/glob/{name}", b"")
    names = stored(tmp_path, f"hdfs://{ROOT}/glob/x{{i}}.txt").list_candidate_matches()
    assert sorted(names) == [f"hdfs://{ROOT}/glob/{name}" for name in ("d1", "x1.txt", "x2.txt")]


@pytest.mark.parametrize(
    "query", ["/a", "hdfs://nn:8020/a", "hdfs:///a//b", "hdfs:///../a", "s3://a"]
)
def test_other_paths_are_refused_with_a_remedy(query: str) -> None:
    result = StorageProvider.is_valid_query(query)
    assert not result
    assert "write hdfs:///PATH" in str(result)

"""The official suite of Snakemake's executor plugins, and whole workflows.

The session runs jobs in this process's machine in directories of their own, or in the cluster of
HADOOP_CONF_DIR if WEIR_TEST_HDFS is a directory there.
"""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import snakemake.common.tests

import weir
from snakemake_executor_plugin_weir import ExecutorSettings
from weir.testing import LocalWeir

ROOT = f"{os.environ.get('WEIR_TEST_HDFS', '/test')}/{uuid.uuid4().hex}"


@pytest.fixture(autouse=True, scope="module")
def cluster() -> Iterator[None]:
    if "WEIR_TEST_HDFS" in os.environ:
        yield
        return
    with pytest.MonkeyPatch.context() as patch, LocalWeir() as local:
        patch.setenv("HADOOP_CONF_DIR", local.conf_dir)
        yield


class TestOfficialSuite(snakemake.common.tests.TestWorkflowsBase):
    """The suite of ``snakemake.common.tests``."""

    __test__ = True

    def get_executor(self) -> str:
        return "weir"

    def get_executor_settings(self) -> ExecutorSettings:
        return ExecutorSettings(python=sys.executable)

    def get_default_storage_provider(self) -> str:
        return "weir"

    def get_default_storage_prefix(self) -> str:
        return f"hdfs://{ROOT}/official-{uuid.uuid4().hex}"

    def get_default_storage_provider_settings(self) -> dict[str, object]:
        return {}

    def get_assume_shared_fs(self) -> bool:
        return False


def run(directory: Path, snakefile: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs ``snakemake`` on a workflow."""
    (directory / "Snakefile").write_text(snakefile)
    command = [sys.executable, "-m", "snakemake", "--executor", "weir", "--jobs", "4"]
    command += ["--weir-python", sys.executable, "--default-resources", "mem_mb=200"]
    command += ["--default-storage-provider", "weir", "--default-storage-prefix", prefix(directory)]
    return subprocess.run([*command, *options], cwd=directory, capture_output=True, text=True)


def prefix(directory: Path) -> str:
    return f"hdfs://{ROOT}/{directory.name}"


def read(directory: Path, name: str) -> str:
    return weir.Hdfs.connect().read(f"{ROOT}/{directory.name}/{name}").decode()


FEATURES = """
configfile: "config.yaml"

rule all:
    input: "words.txt", "tree.txt", "kept.txt"

rule make:
    output: temp("part.{i}.txt")
    log: "logs/{i}.log"
    benchmark: "bench/{i}.tsv"
    retries: 1
    resources: turn=lambda wildcards, attempt: attempt
    shell:
        "echo {config[word]} {wildcards.i} > {output}; echo log > {log}; test {resources.turn} = 2"

rule words:
    input: expand("part.{i}.txt", i=[1, 2])
    output: ensure("words.txt", non_empty=True)
    shadow: "minimal"
    script: "scripts/join.py"

rule tree:
    input: "given.txt"
    output: directory("tree")
    shell: "mkdir -p {output}/sub && cp {input} {output}/sub/copy"

rule flat:
    input: "tree"
    output: "tree.txt"
    run:
        import pathlib
        pathlib.Path(output[0]).write_text((pathlib.Path(input[0]) / "sub" / "copy").read_text())

rule keep:
    output: protected("kept.txt")
    shell: "echo kept > {output}"
"""


def test_features_of_a_workflow(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("word: part\n")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "join.py").write_text(
        "text = ''.join(open(path).read() for path in snakemake.input)\n"
        "open(snakemake.output[0], 'w').write(text.upper())\n"
    )
    hdfs = weir.Hdfs.connect()
    hdfs.write(f"{ROOT}/{tmp_path.name}/given.txt", b"given\n")
    ended = run(tmp_path, FEATURES)
    assert ended.returncode == 0, ended.stderr
    assert read(tmp_path, "words.txt") == "PART 1\nPART 2\n"
    assert read(tmp_path, "tree.txt") == "given\n"
    assert not hdfs.exists(f"{ROOT}/{tmp_path.name}/part.1.txt"), "a temporary file is removed"
    assert read(tmp_path, "bench/1.tsv").startswith("s\t")
    assert hdfs.status(f"{ROOT}/{tmp_path.name}/kept.txt").permission == 0o444

    again = run(tmp_path, FEATURES)
    assert "Nothing to be done" in again.stderr, again.stderr

    forced = run(tmp_path, FEATURES, "--forcerun", "keep")
    assert forced.returncode != 0
    assert "kept.txt is write-protected in HDFS" in forced.stderr
    assert read(tmp_path, "kept.txt") == "kept\n"


GROUP = """
rule all:
    input: "last.txt"

rule first:
    output: temp("first.txt")
    group: "g"
    shell: "echo first > {output}"

rule middle:
    input: "first.txt"
    output: "middle.txt"
    group: "g"
    shell: "cat {input} {input} > {output}"

rule last:
    input: "middle.txt"
    output: "last.txt"
    group: "g"
    shell: "cat {input} {input} > {output}"
"""


def test_group_is_one_job_that_keeps_what_is_not_temporary(tmp_path: Path) -> None:
    session = weir.Session.connect()
    before = len(session.list())
    ended = run(tmp_path, GROUP)
    assert ended.returncode == 0, ended.stderr
    assert len(session.list()) == before + 1
    assert read(tmp_path, "last.txt") == "first\n" * 4
    assert read(tmp_path, "middle.txt") == "first\n" * 2
    assert not weir.Hdfs.connect().exists(f"{ROOT}/{tmp_path.name}/first.txt")


def test_failed_job_shows_its_last_output(tmp_path: Path) -> None:
    ended = run(tmp_path, 'rule bad:\n    output: "x"\n    shell: "echo oops >&2; exit 3"\n')
    assert ended.returncode != 0
    assert "oops" in ended.stderr


@pytest.mark.parametrize(
    "snakefile,options,message",
    [
        ("", ["--software-deployment-method", "conda"], "does not deploy software by conda"),
        ("", ["--software-deployment-method", "apptainer"], "software by apptainer: install"),
        ("", ["--default-storage-provider", "none"], "--default-storage-provider weir"),
        ("", ["--local-storage-prefix", "/tmp/x"], "give a relative path"),
        ("", ["--weir-session", "other"], "no session called 'other'"),
        ('output: update("x")', [], "does not support update"),
        ('input: local("Snakefile")\n    output: "x"', ["--jobs", "1"], ""),
    ],
    ids=["conda", "apptainer", "storage", "prefix", "session", "update", "local"],
)
def test_unsupported_is_refused_by_name(
    tmp_path: Path, snakefile: str, options: list[str], message: str
) -> None:
    files = snakefile or 'output: "x"'
    rule = f'rule a:\n    {files}\n    shell: "echo a > {{output}}"\n'
    ended = run(tmp_path, rule, *options)
    assert (ended.returncode != 0) == bool(message), ended.stderr
    assert message in ended.stderr


def test_killed_run_is_continued(tmp_path: Path) -> None:
    """The job of a killed Snakemake is cancelled, and made again with --rerun-incomplete."""
    rule = (
        'rule a:\n    output: "x"\n    params: go=config.get("go", "")\n'
        "    shell: \"echo a > {output}; test -n '{params.go}' || exec sleep 1000\"\n"
    )
    (tmp_path / "Snakefile").write_text(rule)
    session = weir.Session.connect()
    before = {job.id for job in session.list()}
    command = [sys.executable, "-c", KILLED, str(tmp_path), prefix(tmp_path), sys.executable]
    assert subprocess.run(command, capture_output=True).returncode == -9
    (left,) = {job.id for job in session.list()} - before
    unlocked = run(tmp_path, rule, "--unlock")
    assert unlocked.returncode == 0, unlocked.stderr
    ended = run(tmp_path, rule, "--rerun-incomplete", "--config", "go=yes")
    assert ended.returncode == 0, ended.stderr
    assert session.status(left).state is weir.JobState.CANCELLED
    assert read(tmp_path, "x") == "a\n"


# Runs snakemake, and kills it when its job has been submitted.
KILLED = """
import os, signal, sys
import snakemake_executor_plugin_weir as plugin
from snakemake.cli import main

def kill(executor, info, register_job=True):
    super(plugin.Executor, executor).report_job_submission(info, register_job)
    os.kill(os.getpid(), signal.SIGKILL)

plugin.Executor.report_job_submission = kill
os.chdir(sys.argv[1])
main(["--executor", "weir", "--jobs", "1", "--weir-python", sys.argv[3],
      "--default-storage-provider", "weir", "--default-storage-prefix", sys.argv[2]])
"""

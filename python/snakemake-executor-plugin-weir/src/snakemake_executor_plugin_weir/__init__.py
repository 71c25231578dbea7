"""Runs the jobs of Snakemake in a Weir session.

The session's worker stages the declared inputs into the job's directory and commits the declared
outputs to HDFS. Nodes need Python with Snakemake and the storage plugin, and no shared file system.
"""

import asyncio
import hashlib
import os
import shlex
import tempfile
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.jobs import JobExecutorInterface
from snakemake_interface_executor_plugins.settings import (
    CommonSettings,
    DeploymentMethod,
    ExecutorSettingsBase,
)

import weir
from snakemake_storage_plugin_weir import ARCHIVE, SANDBOX, StorageObject, protected_message
from weir.errors import NotFoundError

_SOURCES = "snakemake-sources.tar.xz"
_WAIT_SECONDS = 1.0
_WRITABLE = 0o222
_REFUSED_FLAGS = {
    "update": "read the old version as an input and write the new one to another path",
    "before_update": "read the file as a normal input",
}


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    """What a user may set."""

    session: str = field(
        default="",
        metadata={"help": "Id or name of the session; by default your only one."},
    )
    python: str = field(
        default="python3",
        metadata={
            "help": "On the nodes, the Python that has snakemake and snakemake-storage-plugin-weir."
        },
    )


common_settings = CommonSettings(
    non_local_exec=True,
    implies_no_shared_fs=True,
    job_deploy_sources=False,
    pass_default_storage_provider_args=True,
    pass_default_resources_args=True,
    pass_envvar_declarations_to_cmd=False,
    auto_deploy_default_storage_provider=False,
    # The sources are an input of each job.
    can_transfer_local_files=True,
)


class Executor(RemoteExecutor):
    """Submits jobs to a session."""

    def __post_init__(self) -> None:
        """Connects to the session and puts the workflow's sources into HDFS."""
        settings = self.workflow.executor_settings
        self.python: str = settings.python
        self._require_supported()
        try:
            self.hdfs = weir.Hdfs.connect()
            self.session = weir.Session.connect(settings.session, self.hdfs)
            self._run = self._run_name()
            self._end_jobs_of_a_killed_run()
            self._sources = self._upload_sources()
            self._after = self._last_end()
        except weir.WeirError as e:
            raise WorkflowError(str(e)) from e
        self._ended: dict[str, weir.JobStatus] = {}
        self._archived: dict[str, bool] = {}
        # Each answer waits for an end, so a pause would only add to the latency.
        self.next_seconds_between_status_checks = 0.05

    def _require_supported(self) -> None:
        storage = self.workflow.storage_settings
        if storage.default_storage_provider != "weir" or not storage.default_storage_prefix:
            raise WorkflowError(
                "Nodes share no file system with this machine: add --default-storage-provider weir"
                " --default-storage-prefix hdfs:///user/YOU/DIRECTORY"
            )
        if (
            os.path.isabs(storage.local_storage_prefix)
            or ".." in Path(storage.local_storage_prefix).parts
        ):
            raise WorkflowError(
                f"--local-storage-prefix {storage.local_storage_prefix} is outside of a job's"
                " directory: give a relative path"
            )
        refused = {
            DeploymentMethod.CONDA: "install the programs on the nodes, and leave out conda in"
            " --software-deployment-method",
            DeploymentMethod.APPTAINER: "install the programs on the nodes, and leave out"
            " apptainer in --software-deployment-method",
        }
        for method in self.workflow.deployment_settings.deployment_method:
            if method in refused:
                raise WorkflowError(
                    f"The executor weir does not deploy software by {method.name.lower()}:"
                    f" {refused[method]}"
                )

    def _run_name(self) -> str:
        """Names this workflow in this directory, which only one Snakemake at a time may run."""
        prefix = self.workflow.storage_settings.default_storage_prefix
        place = f"{os.uname().nodename}:{os.getcwd()}:{prefix}"
        return f"snakemake-{hashlib.sha256(place.encode()).hexdigest()[:12]}"

    def _end_jobs_of_a_killed_run(self) -> None:
        for status in self.session.list():
            if status.id.startswith(self._run) and not status.state.is_final:
                self.logger.info(f"Cancelling {status.id} of an earlier run.")
                self.session.cancel(status.id)

    def _last_end(self) -> int:
        answer = self.session.ended()
        while answer.jobs:
            answer = self.session.ended(answer.next)
        return answer.next

    def _upload_sources(self) -> str:
        """Stores snakefiles, scripts and configuration once for each content."""
        with tempfile.TemporaryDirectory() as directory:
            archive = Path(directory) / _SOURCES
            self.workflow.write_source_archive(archive)
            digest = hashlib.sha256(archive.read_bytes()).hexdigest()
            prefix = self.workflow.storage_settings.default_storage_prefix
            root = prefix.removeprefix("hdfs://").rstrip("/")
            path = f"{root}/.snakemake/{digest}.tar.xz"
            if not self.hdfs.exists(path):
                self.hdfs.upload(archive, path)
            return path

    def get_python_executable(self) -> str:
        """Returns the nodes' Python."""
        return shlex.quote(self.python)

    def additional_general_args(self) -> str:
        """Returns what overrides the directory of this machine."""
        return "--directory ."

    def run_job(self, job: JobExecutorInterface) -> None:
        """Submits a job or a group of jobs."""
        info = SubmittedJobInfo(job)
        try:
            submitted = self._weir_job(job)
            self.session.submit(submitted)
        except (weir.WeirError, WorkflowError, ValueError) as e:
            self.report_job_error(info, msg=f"{e} ")
            return
        info.external_jobid = submitted.id
        info.aux = {"protected": list(self._protected(job))}
        self.report_job_submission(info)

    async def check_active_jobs(
        self, active_jobs: list[SubmittedJobInfo]
    ) -> AsyncGenerator[SubmittedJobInfo, None]:
        """Reports the jobs that have ended, by one request for all."""
        if active_jobs:
            answer = await asyncio.to_thread(self.session.ended, self._after, _WAIT_SECONDS)
            self._after = answer.next
            self._ended.update((status.id, status) for status in answer.jobs)
        for info in active_jobs:
            status = self._ended.pop(info.external_jobid, None)
            if status is None:
                yield info
            elif status.state is weir.JobState.SUCCEEDED:
                self._succeed(info)
            else:
                message = str(weir.JobFailedError(status))
                if info.job.is_group():
                    # Snakemake shows no message of a group.
                    self.logger.error(message)
                self.report_job_error(info, msg=f"{message}\n")

    def _succeed(self, info: SubmittedJobInfo) -> None:
        try:
            for path in (info.aux or {})["protected"]:
                permission = self.hdfs.status(path).permission
                self.hdfs.set_permission(path, permission & ~_WRITABLE)
        except weir.WeirError as e:
            self.report_job_error(info, msg=f"An output cannot be write-protected: {e} ")
            return
        self.report_job_success(info)

    def cancel_jobs(self, active_jobs: list[SubmittedJobInfo]) -> None:
        """Cancels jobs."""
        for info in active_jobs:
            try:
                self.session.cancel(info.external_jobid)
            except NotFoundError:
                pass

    def _weir_job(self, job: JobExecutorInterface) -> weir.Job:
        outputs = dict(self._outputs(job))
        for path in self._protected(job):
            if self.hdfs.exists(path) and not self.hdfs.status(path).permission & _WRITABLE:
                raise WorkflowError(protected_message(path))
        resources = job.resources
        memory, minutes = resources.get("mem_mb"), resources.get("runtime")
        gpus = resources.get("gpu")
        return weir.Job.of(
            ["/bin/sh", "-c", self._command(job)],
            {_SOURCES: self._sources, **dict(self._inputs(job))},
            outputs,
            id=f"{self._run}-{os.getpid()}-{job.jobid}-{job.attempt}",
            tag=job.name,
            environment={SANDBOX: "1", **self.envvars()},
            cores=job.threads,
            memory_mb=memory if isinstance(memory, int) else 0,
            runtime_seconds=minutes * 60.0 if isinstance(minutes, int) else 0.0,
            priority=min(job.priority, 2**31 - 1),
            resources={"yarn.io/gpu": gpus} if isinstance(gpus, int) and gpus > 0 else None,
        )

    def _command(self, job: JobExecutorInterface) -> str:
        logs = [str(log.storage_object.local_path()) for log in _logs(job)]
        lines = [
            "set -e",
            'export XDG_CACHE_HOME="$PWD/.snakemake/cache"',
            f"tar -xJf {_SOURCES}",
            # A log that the command does not write is an empty output.
            *(f"mkdir -p {shlex.quote(os.path.dirname(log))}" for log in logs),
            self.format_job_exec(job),
            *(f"test -e {shlex.quote(log)} || : > {shlex.quote(log)}" for log in logs),
        ]
        return "\n".join(lines)

    def _inputs(self, job: JobExecutorInterface) -> Iterator[tuple[str, str]]:
        """Returns the sandbox name and the path of each file that a job reads."""
        for file in job.input:
            stored = _stored(file)
            if stored is None:
                if not file.is_storage:
                    raise WorkflowError(
                        f"The input {file} is on this machine only: put it into HDFS, or make the"
                        " rule a localrule"
                    )
                # Of another provider, from which the job retrieves it.
            elif "update" in file.flags or "before_update" in file.flags:
                raise WorkflowError(_refusal(file, "before_update"))
            elif stored.retrieve:
                yield from self._staged(stored)

    def _staged(self, stored: StorageObject) -> Iterator[tuple[str, str]]:
        local, path = str(stored.local_path()), stored.path
        if path not in self._archived:
            status = None if not self.hdfs.exists(path) else self.hdfs.status(path)
            if status is not None and status.is_directory:
                for each in self.hdfs.files(path):
                    yield f"{local}/{each}", f"{path}/{each}"
                return
            self._archived[path] = status is None and self.hdfs.exists(path + ARCHIVE)
        suffix = ARCHIVE if self._archived[path] else ""
        yield local + suffix, path + suffix

    def _outputs(self, job: JobExecutorInterface) -> Iterator[tuple[str, str]]:
        """Returns the sandbox name and the path of each file that a job writes."""
        unneeded = set(self.workflow.dag.get_unneeded_temp_files(job))
        for single in _singles(job):
            for file in single.output:
                for flag in _REFUSED_FLAGS:
                    if flag in file.flags:
                        raise WorkflowError(_refusal(file, flag))
                stored = _stored(file)
                if stored is None or file in unneeded or not stored.retrieve:
                    continue
                if {"pipe", "service", "nodelocal"} & set(file.flags):
                    continue
                is_archive = "directory" in file.flags
                self._archived[stored.path] = is_archive
                suffix = ARCHIVE if is_archive else ""
                yield f"{stored.local_path()}{suffix}", stored.path + suffix
        for file in _logs(job):
            yield str(file.storage_object.local_path()), file.storage_object.path

    def _protected(self, job: JobExecutorInterface) -> Iterator[str]:
        for single in _singles(job):
            for file in single.protected_output:
                stored = _stored(file)
                if stored is not None:
                    yield stored.path + (ARCHIVE if "directory" in file.flags else "")


def _singles(job: JobExecutorInterface) -> list[Any]:
    return list(job.jobs) if job.is_group() else [job]


def _logs(job: JobExecutorInterface) -> Iterator[Any]:
    """Returns the logs and benchmarks in HDFS."""
    for single in _singles(job):
        files = [*single.log, *([single.benchmark] if single.benchmark else [])]
        yield from (file for file in files if _stored(file) is not None)


def _stored(file: Any) -> Optional[StorageObject]:
    """Returns the object of a file in HDFS; None for another file."""
    if file.is_storage and isinstance(file.storage_object, StorageObject):
        return file.storage_object
    return None


def _refusal(file: Any, flag: str) -> str:
    return f"The executor weir does not support {flag}(), for {file}: {_REFUSED_FLAGS[flag]}"

package dev.weir.nextflow;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import nextflow.exception.ProcessException;
import nextflow.exception.ProcessUnrecoverableException;
import nextflow.processor.TaskHandler;
import nextflow.processor.TaskRun;
import nextflow.processor.TaskStatus;
import nextflow.trace.TraceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task as a job of the session. */
final class WeirTaskHandler extends TaskHandler {

  private static final Logger LOG = LoggerFactory.getLogger(WeirTaskHandler.class);

  private final WeirExecutor executor;
  private final String id;
  private @Nullable JobStatus end;

  WeirTaskHandler(TaskRun task, WeirExecutor executor) {
    super(task);
    this.executor = executor;
    this.id = executor.jobId(task);
  }

  @Override
  public void submit() {
    try {
      TaskJob job = TaskJob.of(getTask(), executor.remotePrograms());
      job.wrapper().build();
      Job submitted = job.job(id);
      executor.jobs().submit(submitted);
    } catch (IllegalArgumentException e) {
      throw sneaky(new ProcessUnrecoverableException(e.getMessage(), e));
    } catch (IOException e) {
      throw sneaky(
          new ProcessException("The session does not take the task: " + e.getMessage(), e));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    setStatus(TaskStatus.SUBMITTED);
  }

  private static RuntimeException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return sneaky(new ProcessException("interrupted", e));
  }

  /** Groovy's methods, which this class overrides, do not declare what they throw. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
    throw (E) failure;
  }

  /** The session reports ends only, so a job has run when it has ended. */
  @Override
  public boolean checkIfRunning() {
    if (!isSubmitted() || end() == null) {
      return false;
    }
    setStatus(TaskStatus.RUNNING);
    return true;
  }

  private @Nullable JobStatus end() {
    if (end == null) {
      try {
        Optional<JobStatus> ended = executor.jobs().takeEnd(id);
        end = ended.orElse(null);
      } catch (IOException e) {
        throw sneaky(new ProcessException(e.getMessage(), e));
      }
    }
    return end;
  }

  @Override
  public boolean checkIfCompleted() {
    JobStatus status = isRunning() ? end() : null;
    if (status == null) {
      return false;
    }
    TaskRun task = getTask();
    Path directory = task.getWorkDir();
    if (status.state() == JobState.SUCCEEDED) {
      task.setExitStatus(0);
      task.setStdout(directory.resolve(TaskRun.CMD_OUTFILE));
      task.setStderr(directory.resolve(TaskRun.CMD_ERRFILE));
    } else {
      fail(task, status.result());
    }
    setStartTimeMillis(status.times().started());
    setStatus(TaskStatus.COMPLETED);
    return true;
  }

  private void fail(TaskRun task, JobStatus.Result result) {
    String why = result.outputTail() + result.message() + "\n";
    if (result.exitCode() <= 0) {
      task.setError(new ProcessException(why.strip()));
      return;
    }
    task.setExitStatus(result.exitCode());
    task.setStderr(why);
    // The session has committed nothing of a failed job.
    write(task, TaskRun.CMD_EXIT, String.valueOf(result.exitCode()));
    write(task, TaskRun.CMD_ERRFILE, why);
  }

  private static void write(TaskRun task, String name, String content) {
    try {
      Files.writeString(task.getWorkDir().resolve(name), content);
    } catch (IOException e) {
      LOG.warn("Cannot write {} of the task {}", name, task.getName(), e);
    }
  }

  @Override
  public void kill() {
    try {
      executor.jobs().cancel(id);
    } catch (IOException e) {
      LOG.warn("Cannot cancel {}", id, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public TraceRecord getTraceRecord() {
    TraceRecord trace = super.getTraceRecord();
    trace.put("native_id", id);
    return trace;
  }
}

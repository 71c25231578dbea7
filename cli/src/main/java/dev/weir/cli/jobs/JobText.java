package dev.weir.cli.jobs;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Table;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import java.util.List;
import java.util.Locale;

/** Formats jobs for the terminal. */
final class JobText {

  private JobText() {}

  /** Returns the status of a job, on several lines. */
  static String of(JobStatus job) {
    StringBuilder text = new StringBuilder();
    text.append(job.id()).append(": ").append(job.state().label());
    if (!job.result().node().isEmpty()) {
      text.append(" on ").append(job.result().node());
    }
    if (job.state().isFinal() && job.result().exitCode() != JobStatus.NO_EXIT_CODE) {
      text.append(", exit code ").append(job.result().exitCode());
    }
    if (job.state() == JobState.SUCCEEDED) {
      text.append(
          String.format(
              Locale.ROOT,
              ", ran %.1f s, read %d bytes of its node and %d of others, wrote %d",
              job.times().runMillis() / 1000.0,
              job.traffic().inputLocal(),
              job.traffic().inputRemote(),
              job.traffic().output()));
    }
    if (!job.result().message().isEmpty()) {
      text.append(": ").append(job.result().message());
    }
    text.append(System.lineSeparator());
    job.result()
        .outputTail()
        .lines()
        .forEach(line -> text.append("  ").append(line).append(System.lineSeparator()));
    return text.toString();
  }

  static String table(List<JobStatus> jobs) {
    if (jobs.isEmpty()) {
      return "No jobs." + System.lineSeparator();
    }
    Table table = new Table("ID", "TAG", "STATE", "ATTEMPTS#", "EXIT#", "NODE", "MESSAGE");
    for (JobStatus job : jobs) {
      boolean exited = job.result().exitCode() != JobStatus.NO_EXIT_CODE;
      table.row(
          job.id(),
          job.tag(),
          job.state().label(),
          job.attempts(),
          exited ? Integer.toString(job.result().exitCode()) : "",
          job.result().node(),
          job.result().message());
    }
    return table.toString();
  }

  /** Returns the exit code of a command that has waited for the job. */
  static int exitCode(JobStatus job) {
    if (job.state() == JobState.SUCCEEDED) {
      return 0;
    }
    int code = job.result().exitCode();
    return code > 0 ? code : ExitCode.NOT_RUN;
  }
}

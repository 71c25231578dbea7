package dev.weir.workflow.session;

import dev.weir.workflow.delivery.ProvenanceReporter;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.jobserver.JobsRecord;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the record of a session's jobs as the record of a run with the session's id. The run
 * commands and the hints service show it. Failures are logged and do not keep the session from
 * ending.
 */
public final class JobsClosing {

  private static final Logger LOG = LoggerFactory.getLogger(JobsClosing.class);

  private final Configuration conf;
  private final RunDirectories directories;

  /**
   * Creates the closing of a session's jobs.
   *
   * @param directories of the runs of the session's owner
   */
  public JobsClosing(Configuration conf, RunDirectories directories) {
    this.conf = conf;
    this.directories = directories;
  }

  /** Writes the record, and reports it to the hints service. Blocks. */
  public void close(JobsRecord jobs) throws InterruptedException {
    RunRecord record = jobs.record();
    Staging directory = directories.directory(record.runId());
    try {
      HdfsRetry.DEFAULT.run(
          () -> {
            directory.create();
            directory.write(Staging.RECORD, out -> RunRecordCodec.write(record, out));
            directory.writeJson(Staging.SUMMARY, jobs.summary());
          });
    } catch (IOException | RuntimeException e) {
      LOG.error("The record of the jobs cannot be written to {}", directory.directory(), e);
    }
    report(jobs);
  }

  private void report(JobsRecord jobs) {
    RunRecord record = jobs.record();
    Optional<ProvenanceReporter> reporter =
        ProvenanceReporter.start(
            conf,
            directories.fs(),
            new ProvenanceReporter.Subject(
                record.runId(),
                jobs.outline(),
                record.started(),
                (from, most) -> part(record.tasks(), from, most)),
            note -> LOG.warn("{}", note));
    if (reporter.isPresent()) {
      try (ProvenanceReporter open = reporter.get()) {
        open.finish(record, jobs.reason());
      }
    }
  }

  private static List<TaskRecord> part(List<TaskRecord> attempts, int from, int most) {
    return attempts.subList(from, Math.min(attempts.size(), from + most));
  }
}

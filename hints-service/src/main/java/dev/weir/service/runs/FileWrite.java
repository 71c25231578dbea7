package dev.weir.service.runs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A write of a file by a successful attempt.
 *
 * @param run the run's key in the database
 * @param owner the owner of the run
 * @param task the task's key in the database
 * @param dispatched the start of the attempt
 * @param bytes the length; null if not known
 * @param crc32c the checksum; null if not known
 * @param onNode whether it was committed to its node, not to HDFS
 */
record FileWrite(
    long run,
    String runId,
    String owner,
    UUID task,
    int attempt,
    String path,
    Instant dispatched,
    Instant ended,
    @Nullable Long bytes,
    @Nullable String crc32c,
    boolean onNode) {

  AttemptKey key() {
    return new AttemptKey(run, task, attempt);
  }

  record AttemptKey(long run, UUID task, int attempt) {}
}

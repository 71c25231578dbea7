package dev.weir.service.runs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * That a successful attempt wrote a file.
 *
 * @param run the run's key in the database
 * @param runId its id
 * @param owner whose run it is
 * @param task the task's key there
 * @param attempt number of the attempt
 * @param path the file
 * @param dispatched when the attempt began
 * @param ended when it ended
 * @param bytes the length that was written; null when it is not known
 * @param crc32c the checksum; null when it is not known
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
    @Nullable String crc32c) {

  AttemptKey key() {
    return new AttemptKey(run, task, attempt);
  }

  /** Names an attempt in the database. */
  record AttemptKey(long run, UUID task, int attempt) {}
}

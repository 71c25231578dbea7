package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps the latest logs of commands and deletes older ones. A session runs attempts for an
 * unlimited time, and YARN does not delete a container's logs before the container ends. Logs of
 * running attempts are never deleted, even if they have the name of an earlier attempt, because ids
 * of jobs may be reused. The newest log stays whatever its size is. Thread-safe.
 */
final class LogRotation {

  /** Maximum number of attempts with logs. */
  static final int MAX_ATTEMPTS = 1_000;

  /** Maximum total size of their logs, in bytes. */
  static final long MAX_BYTES = 256L << 20;

  private final Path directory;
  private final int maxAttempts;
  private final long maxBytes;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private long bytes;

  private record Kept(TaskLogs logs, long bytes) {}

  LogRotation(Path directory, int maxAttempts, long maxBytes) {
    this.directory = directory;
    this.maxAttempts = maxAttempts;
    this.maxBytes = maxBytes;
  }

  /** An attempt is about to start: logs of its name no longer belong to an earlier one. */
  synchronized void starting(TaskOrder order) {
    TaskLogs logs = TaskLogs.of(directory, order);
    kept.removeIf(
        earlier -> {
          boolean same = earlier.logs.equals(logs);
          bytes -= same ? earlier.bytes : 0;
          return same;
        });
  }

  /** An attempt has ended, and its logs are not written to any more. */
  synchronized void finished(TaskOrder order) {
    TaskLogs logs = TaskLogs.of(directory, order);
    File out = logs.stdout().toFile();
    File err = logs.stderr().toFile();
    if (!out.exists() && !err.exists()) {
      return;
    }
    Kept last = new Kept(logs, out.length() + err.length());
    kept.addLast(last);
    bytes += last.bytes;
    while (kept.size() > 1 && (kept.size() > maxAttempts || bytes > maxBytes)) {
      Kept first = kept.removeFirst();
      bytes -= first.bytes;
      delete(first.logs.stdout());
      delete(first.logs.stderr());
    }
  }

  /** Returns false for an empty log that was reused or deleted, which is fine. */
  private static void delete(Path log) {
    boolean unused = log.toFile().delete();
  }
}

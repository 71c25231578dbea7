package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps what the last attempts have printed and deletes what is older: a pool makes attempts for as
 * long as its owner likes, and nobody else clears the directory of a container's logs before the
 * container ends. What runs is never touched, also when it has the name of an attempt that was
 * before, for ids of jobs may be used again; and the newest stays however long it is. Thread-safe.
 */
final class LogRotation {

  /** So many attempts of a worker can be looked up. */
  static final int MOST = 1_000;

  /** What their logs may take together, in bytes. */
  static final long MOST_BYTES = 256L << 20;

  private final Path directory;
  private final int most;
  private final long mostBytes;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private long bytes;

  private record Kept(TaskLogs logs, long bytes) {}

  /**
   * Of attempts that are still to come.
   *
   * @param directory of the container's logs
   * @param most how many attempts
   * @param mostBytes how many bytes together
   */
  LogRotation(Path directory, int most, long mostBytes) {
    this.directory = directory;
    this.most = most;
    this.mostBytes = mostBytes;
  }

  /** An attempt is about to begin: logs of its name are not those of an earlier one any more. */
  synchronized void begins(TaskOrder order) {
    TaskLogs logs = TaskLogs.of(directory, order);
    kept.removeIf(
        earlier -> {
          boolean same = earlier.logs.equals(logs);
          bytes -= same ? earlier.bytes : 0;
          return same;
        });
  }

  /** An attempt is over, and nobody writes to its logs any more. */
  synchronized void over(TaskOrder order) {
    TaskLogs logs = TaskLogs.of(directory, order);
    File out = logs.stdout().toFile();
    File err = logs.stderr().toFile();
    if (!out.exists() && !err.exists()) {
      return;
    }
    Kept last = new Kept(logs, out.length() + err.length());
    kept.addLast(last);
    bytes += last.bytes;
    while (kept.size() > 1 && (kept.size() > most || bytes > mostBytes)) {
      Kept first = kept.removeFirst();
      bytes -= first.bytes;
      delete(first.logs.stdout());
      delete(first.logs.stderr());
    }
  }

  /** An empty one may have become another attempt's, or be gone. */
  private static void delete(Path log) {
    boolean unused = log.toFile().delete();
  }
}

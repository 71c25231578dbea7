package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files with a command's stdout and stderr, in the container's log directory, where YARN keeps
 * and shows them.
 *
 * @param stdout file for standard output
 * @param stderr file for standard error
 */
record TaskLogs(Path stdout, Path stderr) {

  private static final String PREFIX = "task-";
  private static final Pattern LABEL = Pattern.compile("\\.[^/]*-(\\d+)\\.(stdout|stderr)");
  private static final int TAIL_BYTES = 4096;

  /** File names have 255 bytes at most; a character has up to four. */
  private static final int NAME_CHARS = 40;

  static TaskLogs of(Path directory, TaskOrder order) {
    String base = PREFIX + shortName(order.task()) + "." + order.label();
    return new TaskLogs(directory.resolve(base + ".stdout"), directory.resolve(base + ".stderr"));
  }

  /** Parses the name of a file in the log directory; null when it is not a log of this task. */
  static @Nullable KeptLog parse(String task, String fileName) {
    String prefix = PREFIX + shortName(task);
    if (!fileName.startsWith(prefix)) {
      return null;
    }
    Matcher label = LABEL.matcher(fileName.substring(prefix.length()));
    if (!label.matches()) {
      return null;
    }
    return new KeptLog(
        task,
        Integer.parseInt(label.group(1)),
        Stream.valueOf(label.group(2).toUpperCase(Locale.ROOT)));
  }

  /**
   * Returns a task's part of file names.
   *
   * @param task id of the task
   * @return the id, or the beginning of a long one and its hash code
   */
  static String shortName(String task) {
    if (task.length() <= NAME_CHARS) {
      return task;
    }
    boolean halved = Character.isHighSurrogate(task.charAt(NAME_CHARS - 1));
    return task.substring(0, halved ? NAME_CHARS - 1 : NAME_CHARS)
        + "~"
        + Integer.toHexString(task.hashCode());
  }

  /** Returns the end of stderr, from the start of a line if there is one. */
  String stderrTail() {
    try {
      byte[] tail = tail(stderr, TAIL_BYTES);
      String text = new String(tail, UTF_8);
      int lineEnd = text.indexOf('\n');
      boolean cut = Files.size(stderr) > tail.length && lineEnd >= 0 && lineEnd < text.length() - 1;
      return (cut ? text.substring(lineEnd + 1) : text).stripTrailing();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the last bytes of a file, or all of a shorter one. */
  static byte[] tail(Path log, int maxBytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - maxBytes);
      byte[] tail = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(tail);
      return tail;
    }
  }
}

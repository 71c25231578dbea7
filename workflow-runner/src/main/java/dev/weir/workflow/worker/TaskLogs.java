package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files with a command's stdout and stderr, in the container's log directory, where YARN keeps
 * and shows them.
 */
record TaskLogs(Path stdout, Path stderr) {

  private static final String PREFIX = "task-";
  private static final int TAIL_BYTES = 8192;
  private static final int TAIL_LINES = 50;

  /** File names have 255 bytes at most; a character has up to four. */
  private static final int NAME_CHARS = 40;

  static TaskLogs of(Path directory, TaskOrder order) {
    String base = PREFIX + shortName(order.task()) + "." + order.label();
    return new TaskLogs(directory.resolve(base + ".stdout"), directory.resolve(base + ".stderr"));
  }

  /**
   * Returns a task's part of file names.
   *
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

  /**
   * Returns the last lines of stderr, or of stdout if stderr is blank. They are whole lines, unless
   * the last one is longer than the limit.
   */
  String outputTail() {
    String errors = lastLines(stderr);
    return errors.isBlank() ? lastLines(stdout) : errors;
  }

  private static String lastLines(Path log) {
    try {
      byte[] tail = tail(log, TAIL_BYTES);
      String text = new String(tail, UTF_8);
      int lineEnd = text.indexOf('\n');
      boolean cut = Files.size(log) > tail.length && lineEnd >= 0 && lineEnd < text.length() - 1;
      List<String> lines =
          (cut ? text.substring(lineEnd + 1) : text).stripTrailing().lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns stdout as the command wrote it, or its end behind a note if it is longer than the
   * limit.
   */
  String stdoutUpTo(int maxBytes) {
    try {
      byte[] tail = tail(stdout, maxBytes);
      long missing = Files.size(stdout) - tail.length;
      String text = new String(tail, UTF_8);
      return missing <= 0 ? text : "[" + missing + " bytes left out]\n" + text;
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

package dev.weir.cluster.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of a log, for messages. */
public final class LogTail {
  private static final int MAX_BYTES = 16 * 1024;
  private static final int MAX_LINES = 30;

  private LogTail() {}

  /**
   * Returns the last lines of a file, each indented by two blanks, or a note if the file cannot be
   * read.
   */
  public static String of(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - MAX_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size());
      return last.isEmpty() ? "  (the log is empty)" : "  " + String.join("\n  ", last);
    } catch (IOException e) {
      return "  (no log: " + e.getMessage() + ")";
    }
  }
}

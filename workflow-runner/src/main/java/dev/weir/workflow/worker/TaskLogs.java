package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a command writes to stdout and stderr: files in the container's log directory, where YARN
 * keeps and shows them.
 *
 * @param stdout file for standard output
 * @param stderr file for standard error
 */
record TaskLogs(Path stdout, Path stderr) {

  private static final int TAIL_BYTES = 4096;
  private static final int NAME_CHARS = 80;

  static TaskLogs of(Path directory, TaskOrder order) {
    String task = order.task();
    String name =
        task.length() <= NAME_CHARS
            ? task
            : task.substring(0, NAME_CHARS) + "~" + Integer.toHexString(task.hashCode());
    String base = "task-" + name + "." + order.label();
    return new TaskLogs(directory.resolve(base + ".stdout"), directory.resolve(base + ".stderr"));
  }

  /** The end of stderr, from the beginning of a line where there is one. */
  String stderrTail() {
    try (RandomAccessFile file = new RandomAccessFile(stderr.toFile(), "r")) {
      long start = Math.max(0, file.length() - TAIL_BYTES);
      byte[] tail = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(tail);
      String text = new String(tail, UTF_8);
      int lineEnd = text.indexOf('\n');
      boolean cut = start > 0 && lineEnd >= 0 && lineEnd < text.length() - 1;
      return (cut ? text.substring(lineEnd + 1) : text).stripTrailing();
    } catch (IOException e) {
      return "";
    }
  }

  /** Empty files tell nothing; thousands of them hide the others. */
  void dropEmpty() throws IOException {
    for (Path file : new Path[] {stdout, stderr}) {
      if (Files.exists(file) && Files.size(file) == 0) {
        Files.delete(file);
      }
    }
  }
}

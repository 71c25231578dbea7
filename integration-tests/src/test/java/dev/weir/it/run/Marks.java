package dev.weir.it.run;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Synchronises a test with the shell tasks of its workflow, by local files, which all nodes share.
 * A task records its beginning, and may wait until the test opens a gate.
 */
final class Marks {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path directory;

  Marks(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /**
   * The beginning of a task.
   *
   * @param task its id
   * @param pid process id of its shell
   */
  record Begun(String task, long pid) {}

  /** Shell code that records the beginning of a task. */
  String recordBegin() {
    // One short write in append mode, so that lines of several tasks do not mix.
    return "echo \"$WEIR_TASK $$\" >> '" + directory.resolve("begun") + "'; ";
  }

  /** Shell code that waits for {@link #open}. */
  String waitFor(String gate) {
    return "while [ ! -e '" + directory.resolve(gate) + "' ]; do sleep 0.1; done; ";
  }

  /** Opens a gate for the tasks that wait for it now or later. */
  void open(String gate) throws IOException {
    Files.createFile(directory.resolve(gate));
  }

  /** The recorded beginnings of tasks whose ids start with a prefix. */
  List<Begun> begun(String prefix) throws IOException {
    Path log = directory.resolve("begun");
    List<Begun> begun = new ArrayList<>();
    for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
      String[] words = line.split(" ", 2);
      if (words[0].startsWith(prefix)) {
        begun.add(new Begun(words[0], Long.parseLong(words[1])));
      }
    }
    return begun;
  }

  /** Waits for a number of beginnings of tasks whose ids start with a prefix. */
  void awaitBegun(String prefix, int count) {
    await(count + " beginnings of " + prefix)
        .atMost(DEADLINE)
        .until(() -> begun(prefix).size() >= count);
  }
}

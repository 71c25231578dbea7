package dev.weir.it.run;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a test and the shell tasks of its workflow talk: by files of this machine, which all nodes
 * share. A task notes that it has begun, and may wait until the test lets it go on.
 */
final class Marks {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path directory;

  Marks(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /**
   * A task that has begun.
   *
   * @param task its id
   * @param pid process id of its shell
   */
  record Begun(String task, long pid) {}

  /** Shell words that note the beginning of a task. */
  String note() {
    // One short write to a file opened for appending: lines of several tasks do not mix.
    return "echo \"$WEIR_TASK $$\" >> '" + directory.resolve("begun") + "'; ";
  }

  /** Shell words that wait for {@link #open}. */
  String waitFor(String gate) {
    return "while [ ! -e '" + directory.resolve(gate) + "' ]; do sleep 0.1; done; ";
  }

  /** Lets the tasks go on that wait for the gate, now and later. */
  void open(String gate) throws IOException {
    Files.createFile(directory.resolve(gate));
  }

  /** All beginnings of tasks so far whose ids start with a prefix. */
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

  /** Waits until so many tasks have begun whose ids start with a prefix. */
  void awaitBegun(String prefix, int count) {
    await("begin of " + count + " times " + prefix)
        .atMost(DEADLINE)
        .until(() -> begun(prefix).size() >= count);
  }
}

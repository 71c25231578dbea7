package dev.weir.cli.doctor;

import dev.weir.hints.client.HintsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Checks that a hint set with {@code setfattr} becomes a rule. */
final class AttributeCheck implements Check {
  private static final String SUBJECT = "setfattr";
  private static final String ATTRIBUTE = "user.weir.hint";
  private static final int TRIES = 40;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final FileSystem fileSystem;
  private final HintsClient client;
  private final Path directory;
  private final int tries;

  /**
   * Creates a check.
   *
   * @param directory the directory that gets the attribute; created, and deleted afterwards
   */
  AttributeCheck(FileSystem fileSystem, HintsClient client, Path directory) {
    this(fileSystem, client, directory, TRIES);
  }

  /**
   * Creates a check with another patience.
   *
   * @param tries how often the service is asked
   */
  AttributeCheck(FileSystem fileSystem, HintsClient client, Path directory, int tries) {
    this.fileSystem = fileSystem;
    this.client = client;
    this.directory = directory;
    this.tries = tries;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() throws IOException {
    fileSystem.mkdirs(directory);
    try {
      fileSystem.setXAttr(directory, ATTRIBUTE, "pipeline".getBytes(StandardCharsets.UTF_8));
      String file = directory.toUri().getPath() + "/any";
      for (int i = 0; i < tries; i++) {
        if (i > 0) {
          Pause.of(PAUSE);
        }
        if (client.hint(file).isPresent()) {
          return List.of(Finding.fine(SUBJECT, "an attribute becomes a rule"));
        }
      }
      return List.of(
          Finding.wrong(
              SUBJECT,
              "an attribute has not become a rule within "
                  + PAUSE.multipliedBy(tries).toSeconds()
                  + " s: hints that setfattr writes are not in force",
              "see the reconciler in GET /v1/status of the service; the service's user must be a"
                  + " superuser of HDFS. If weir.server.role is requests, start another process"
                  + " with the role reconciler"));
    } finally {
      fileSystem.delete(directory, true);
    }
  }
}

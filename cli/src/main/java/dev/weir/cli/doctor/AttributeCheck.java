package dev.weir.cli.doctor;

import dev.weir.hints.client.HintsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Checks that a hint set with {@code setfattr} becomes a rule.
 *
 * @param directory the directory that gets the attribute; created, and deleted afterwards
 * @param tries how often the service is asked
 */
record AttributeCheck(FileSystem fileSystem, HintsClient client, Path directory, int tries)
    implements Check {
  private static final String SUBJECT = "setfattr";
  private static final String ATTRIBUTE = "user.weir.hint";
  static final int TRIES = 40;
  private static final Duration PAUSE = Duration.ofMillis(500);

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    fileSystem.mkdirs(directory);
    try {
      fileSystem.setXAttr(directory, ATTRIBUTE, "pipeline".getBytes(StandardCharsets.UTF_8));
      String file = directory.toUri().getPath() + "/any";
      for (int i = 0; i < tries; i++) {
        if (i > 0) {
          Pause.of(PAUSE);
        }
        if (client.hint(file).isPresent()) {
          findings.fine("an attribute becomes a rule");
          return;
        }
      }
      findings.wrong(
          "an attribute has not become a rule within "
              + PAUSE.multipliedBy(tries).toSeconds()
              + " s: hints that setfattr writes are not in force",
          "see the reconciler in GET /v1/status of the service; the service's user must be a"
              + " superuser of HDFS. If weir.server.role is requests, start another process"
              + " with the role reconciler");
    } finally {
      fileSystem.delete(directory, true);
    }
  }
}

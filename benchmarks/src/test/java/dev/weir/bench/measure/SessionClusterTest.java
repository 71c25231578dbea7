package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionClusterTest {
  @TempDir private Path folder;

  @Test
  void leftoverIsOnlyTheRecordedCluster() throws IOException {
    Path directory = Files.createDirectories(folder.resolve("clusters/cluster-1"));
    Path plan = Files.writeString(directory.resolve("cluster.json"), "{}");
    SessionCluster session = new SessionCluster(folder);
    assertThat(session.leftover()).isEmpty();

    session.writeRecord(directory);
    assertThat(new SessionCluster(folder).leftover()).contains(directory);

    Files.delete(plan);
    assertThat(session.leftover()).as("closed").isEmpty();

    Files.writeString(plan, "{}");
    Files.setLastModifiedTime(plan, FileTime.fromMillis(1_000));
    assertThat(session.leftover()).as("a cluster of another user in the same directory").isEmpty();
  }
}

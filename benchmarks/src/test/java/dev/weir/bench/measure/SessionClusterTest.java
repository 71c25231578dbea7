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
  void onlyTheClusterThatWasNotedIsLeftBehind() throws IOException {
    Path place = Files.createDirectories(folder.resolve("clusters/cluster-1"));
    Path plan = Files.writeString(place.resolve("cluster.json"), "{}");
    SessionCluster session = new SessionCluster(folder);
    assertThat(session.leftBehind()).isEmpty();

    session.begun(place);
    assertThat(new SessionCluster(folder).leftBehind()).contains(place);

    Files.delete(plan);
    assertThat(session.leftBehind()).as("closed").isEmpty();

    Files.writeString(plan, "{}");
    Files.setLastModifiedTime(plan, FileTime.fromMillis(1_000));
    assertThat(session.leftBehind())
        .as("a cluster of another user in the same directory")
        .isEmpty();
  }
}

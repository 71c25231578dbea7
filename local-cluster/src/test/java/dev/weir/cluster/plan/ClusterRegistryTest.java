package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterRegistryTest {
  @TempDir private Path dir;
  private Path root = Path.of("");
  private ClusterRegistry registry = new ClusterRegistry(root);

  @BeforeEach
  void registry() {
    root = dir.resolve("registry");
    registry = new ClusterRegistry(root);
  }

  @Test
  void anIndexIsTakenOnceUntilItIsReleased() throws Exception {
    assertThat(registry.take(1, dir.resolve("a"))).isEqualTo(dir.resolve("a"));
    assertThat(registry.take(1, dir.resolve("b"))).isNull();
    assertThat(registry.take(2, null)).isEqualTo(root.resolve("cluster-2"));
    registry.release(1, dir.resolve("b"));
    assertThat(registry.take(1, dir.resolve("b"))).as("another's release").isNull();
    registry.release(1, dir.resolve("a"));
    assertThat(registry.take(1, dir.resolve("b"))).isEqualTo(dir.resolve("b"));
  }

  @Test
  void nothingIsLeftWhenAllAreReleased() throws Exception {
    assertThat(registry.list()).isEmpty();
    registry.take(1, null);
    registry.take(2, null);
    registry.release(1, root.resolve("cluster-1"));
    registry.release(2, root.resolve("cluster-2"));
    registry.release(2, root.resolve("cluster-2"));
    assertThat(root).doesNotExist();
  }

  @Test
  void aClusterIsListedOnceItsPlanIsRecorded() throws Exception {
    registry.take(1, dir.resolve("a"));
    assertThat(registry.list()).isEmpty();
    ClusterPlan plan =
        new ClusterPlan(
            1,
            dir.resolve("a"),
            2,
            1,
            HostKind.LOOPBACK,
            LinkRate.UNLIMITED,
            HadoopJars.stock(Path.of("/hadoop")),
            DaemonLayout.STOCK);
    registry.record(plan);
    assertThat(registry.list()).containsExactly(dir.resolve("a"));
    assertThat(registry.find(dir.resolve("a"))).contains(plan);
    assertThat(registry.find(dir.resolve("b"))).isEmpty();

    Files.createDirectory(dir.resolve("a"));
    Files.writeString(dir.resolve("a/cluster.json"), "{\"version");
    assertThat(PlanCodec.read(dir.resolve("a"), registry))
        .as("its file is damaged")
        .isEqualTo(plan);
  }

  @Test
  void anAbandonedIndexIsReused() throws Exception {
    registry.take(1, dir.resolve("a"));
    Path entry = root.resolve("1.cluster");
    Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minusSeconds(120)));
    assertThat(registry.take(1, dir.resolve("b"))).isEqualTo(dir.resolve("b"));
  }

  @Test
  void anIndexOfAnExistingClusterIsNotReused() throws Exception {
    Files.createDirectory(dir.resolve("a"));
    Files.createFile(dir.resolve("a/cluster.json"));
    registry.take(1, dir.resolve("a"));
    Path entry = root.resolve("1.cluster");
    Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minusSeconds(120)));
    assertThat(registry.take(1, dir.resolve("b"))).isNull();
  }
}

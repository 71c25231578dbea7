package dev.weir.bench.disks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {
  @TempDir private Path directory;

  private ControlGroups groups(String own) {
    return new ControlGroups(
        List.of(
            "cgroup2 " + directory.resolve("unified") + " cgroup2 rw,memory 0 0",
            "cgroup " + directory.resolve("cpu") + " cgroup rw,relatime,cpu,cpuacct 0 0",
            "cgroup " + directory.resolve("blkio") + " cgroup rw,relatime,blkio 0 0",
            "cgroup " + directory.resolve("memory") + " cgroup rw,memory 0 0"),
        List.of("0::/", "7:blkio:" + own, "2:cpu,cpuacct:/a"));
  }

  @Test
  void findsTheGroupsOfAController() throws IOException {
    Path blkio = directory.resolve("blkio");

    assertThat(groups("/").rootAndOwn("blkio")).containsExactly(blkio);
    assertThat(groups("/job/1").rootAndOwn("blkio")).containsExactly(blkio, blkio.resolve("job/1"));
    assertThat(groups("/").rootAndOwn("cpuacct"))
        .containsExactly(directory.resolve("cpu"), directory.resolve("cpu/a"));
  }

  @Test
  void namesAControllerThatIsMissing() {
    assertThatIOException()
        .isThrownBy(() -> groups("/").rootAndOwn("freezer"))
        .withMessageContaining("freezer");
  }

  @Test
  void saysWhatDisksNeed() throws IOException {
    assertThat(ThrottledDisks.lack(groups("/"), "alice").orElse("")).contains("run as root");
    assertThat(ThrottledDisks.lack(groups("/"), "root").orElse(""))
        .contains("control groups version 1", "mount -t cgroup");

    Files.createFile(
        Files.createDirectory(directory.resolve("blkio")).resolve(LoopDisk.LIMIT_FILE));
    Files.createFile(
        Files.createDirectory(directory.resolve("memory")).resolve("memory.force_empty"));

    assertThat(ThrottledDisks.lack(groups("/"), "root")).isEmpty();
  }
}

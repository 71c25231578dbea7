package dev.weir.bench.disks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.cluster.plan.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real loop devices; skipped without root or without control groups of version 1. */
@Timeout(120)
class ThrottledDisksTest {
  private static final long DISK_BYTES = 96L << 20;
  private static final int FILE_MEBIBYTES = 32;
  private static final long FILE_BYTES = (long) FILE_MEBIBYTES << 20;

  @TempDir private Path directory;

  @BeforeEach
  void needsRoot() throws IOException {
    assumeThat(ThrottledDisks.lack()).as("what is missing for loop devices").isEmpty();
  }

  private static Path write(Path disk) throws IOException {
    Path file = disk.resolve("file");
    Commands.run(
        "dd", "if=/dev/zero", "of=" + file, "bs=1M", "count=" + FILE_MEBIBYTES, "oflag=direct");
    return file;
  }

  private LoopDisk disk(String name) throws IOException {
    Set<Path> groups = ControlGroups.ofThisProcess().rootAndOwn("blkio");
    return LoopDisk.create(
        directory.resolve(name + ".img"), directory.resolve(name), DISK_BYTES, groups);
  }

  private static Process read(Path file) throws IOException {
    return new ProcessBuilder("dd", "if=" + file, "of=/dev/null", "bs=128k", "iflag=direct")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Both are read meanwhile, so the load of the machine does not matter. */
  @Test
  void bytesFollowTheRates() throws Exception {
    try (LoopDisk slow = disk("slow");
        LoopDisk fast = disk("fast")) {
      Path slowFile = write(slow.directory());
      Path fastFile = write(fast.directory());
      slow.limitReads(new DiskRate(2_000_000, 1000));
      fast.limitReads(new DiskRate(8_000_000, 1000));
      DiskCounters slowBefore = slow.counters();
      DiskCounters fastBefore = fast.counters();
      Process slowReader = read(slowFile);
      Process fastReader = read(fastFile);
      try {
        assertThat(fastReader.waitFor(100, TimeUnit.SECONDS)).isTrue();
        long slowBytes = slow.counters().since(slowBefore).readBytes();
        long fastBytes = fast.counters().since(fastBefore).readBytes();

        assertThat(fastBytes).isBetween(FILE_BYTES, FILE_BYTES + FILE_BYTES / 8);
        assertThat(slowBytes).isBetween(fastBytes / 8, fastBytes / 2);
      } finally {
        slowReader.destroyForcibly().waitFor();
      }
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatIsReadTwiceComesFromTheDiskTwice() throws Exception {
    try (ThrottledDisks disks = ThrottledDisks.create(directory, List.of("n1"), DISK_BYTES)) {
      Path file = write(disks.directory("n1"));
      disks.limit(new DiskRate(16_000_000, 1000));
      DiskCounters before = disks.counters();
      Process reader =
          new ProcessBuilder("sh", "-c", "read go; cat " + file + " " + file + " | wc -c").start();
      disks.uncached(List.of(reader.pid()));
      try (Writer input = reader.outputWriter();
          BufferedReader output = reader.inputReader()) {
        input.write("go\n");
        input.flush();
        assertThat(output.readLine()).isEqualTo(Long.toString(2 * FILE_BYTES));
      }

      assertThat(disks.counters().since(before).readBytes())
          .isBetween(FILE_BYTES * 18 / 10, FILE_BYTES * 22 / 10);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatAKilledProcessLeftIsRemoved() throws IOException {
    LoopDisk left = disk("left");
    assertThat(Files.readString(Path.of("/proc/mounts"))).contains(left.directory() + " ext4");

    try (ThrottledDisks disks = ThrottledDisks.create(directory, List.of("left"), DISK_BYTES)) {
      assertThat(disks.directory("left")).isEqualTo(left.directory());
    }

    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
    assertThat(directory).isEmptyDirectory();
  }
}

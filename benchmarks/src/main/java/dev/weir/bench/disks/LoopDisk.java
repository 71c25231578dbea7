package dev.weir.bench.disks;

import dev.weir.cluster.plan.Commands;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An ext4 file system on a loop device, whose reads and writes the kernel limits. Not thread-safe.
 */
final class LoopDisk implements AutoCloseable {
  static final List<String> PROGRAMS = List.of("losetup", "mkfs.ext4", "mount", "umount");
  static final String LIMIT_FILE = "blkio.throttle.read_bps_device";

  private static final Path DEVICES = Path.of("/sys/block");

  /** The kernel's default for a loop device is larger than what a random read needs. */
  private static final String READ_AHEAD_KIB = "128";

  private final Path image;
  private final Path directory;
  private final String device;
  private final String number;
  private final Set<Path> groups;

  private LoopDisk(Path image, Path directory, String device, Set<Path> groups) throws IOException {
    this.image = image;
    this.directory = directory;
    this.device = device;
    this.number = Files.readString(DEVICES.resolve(device).resolve("dev")).strip();
    this.groups = groups;
  }

  /**
   * Creates an empty disk.
   *
   * @param image the file with its contents, created
   * @param directory the mount point, created
   * @param bytes its size
   * @param groups the control groups whose access is limited
   */
  static LoopDisk create(Path image, Path directory, long bytes, Set<Path> groups)
      throws IOException {
    // A killed process's disk may still be in use; it keeps its own file.
    Files.deleteIfExists(image);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    // Without a journal and with all inodes written, the kernel writes nothing on its own.
    Commands.run(
        "mkfs.ext4",
        "-q",
        "-F",
        "-m",
        "0",
        "-T",
        "largefile",
        "-O",
        "^has_journal",
        "-E",
        "lazy_itable_init=0",
        image.toString());
    // Direct I/O, or the machine would keep the image in its page cache.
    String path =
        Commands.run("losetup", "--find", "--show", "--direct-io=on", image.toString()).strip();
    LoopDisk disk = new LoopDisk(image, directory, path.replace("/dev/", ""), groups);
    try {
      Files.writeString(
          DEVICES.resolve(disk.device).resolve("queue/read_ahead_kb"), READ_AHEAD_KIB);
      Files.createDirectories(directory);
      Commands.run("mount", "-o", "noatime", path, directory.toString());
    } catch (IOException e) {
      disk.closeAfter(e);
      throw e;
    }
    return disk;
  }

  /** Removes the disks of a process that was killed: those whose images are in a directory. */
  static void removeLeftovers(Path images) throws IOException {
    try (Stream<Path> devices = Files.list(DEVICES)) {
      for (Path one : devices.toList()) {
        Path backing = one.resolve("loop/backing_file");
        String device = String.valueOf(one.getFileName());
        if (device.startsWith("loop")
            && Files.exists(backing)
            && Files.readString(backing).startsWith(images + "/")) {
          for (String mounted : mountPoints("/dev/" + device)) {
            Commands.run("umount", "--lazy", mounted);
          }
          Commands.run("losetup", "--detach", "/dev/" + device);
        }
      }
    }
  }

  private static List<String> mountPoints(String path) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .filter(line -> line.startsWith(path + " "))
        .map(line -> line.split(" ", -1)[1])
        .toList();
  }

  Path directory() {
    return directory;
  }

  DiskCounters counters() throws IOException {
    return DiskCounters.parse(Files.readString(DEVICES.resolve(device).resolve("stat")));
  }

  /** Limits writes. */
  void limitWrites(DiskRate rate) throws IOException {
    limit("write_bps", rate.bytes());
    limit("write_iops", rate.operations());
  }

  /** Limits reads. */
  void limitReads(DiskRate rate) throws IOException {
    limit("read_bps", rate.bytes());
    limit("read_iops", rate.operations());
  }

  /** Removes all limits. */
  void unlimit() throws IOException {
    for (String kind : List.of("read_bps", "read_iops", "write_bps", "write_iops")) {
      limit(kind, 0);
    }
  }

  private void limit(String kind, long value) throws IOException {
    for (Path group : groups) {
      ControlGroups.write(
          group.resolve("blkio.throttle." + kind + "_device"), number + " " + value);
    }
  }

  private void closeAfter(IOException failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Removes the disk. If it is in use, the kernel frees the device after the last use. */
  @Override
  public void close() throws IOException {
    List<IOException> failures = new ArrayList<>();
    attempt(this::unlimit, failures);
    attempt(
        () -> {
          for (String mounted : mountPoints("/dev/" + device)) {
            Commands.run("umount", "--lazy", mounted);
          }
        },
        failures);
    attempt(() -> Commands.run("losetup", "--detach", "/dev/" + device), failures);
    attempt(() -> Files.deleteIfExists(image), failures);
    attempt(() -> Files.deleteIfExists(directory), failures);
    if (!failures.isEmpty()) {
      IOException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
  }

  /** A step of the removal. */
  private interface Step {
    void run() throws IOException;
  }

  private static void attempt(Step step, List<IOException> failures) {
    try {
      step.run();
    } catch (IOException e) {
      failures.add(e);
    }
  }
}

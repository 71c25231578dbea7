package dev.weir.bench.disks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the control groups of version 1 of this process. */
final class ControlGroups {
  private static final int MOUNT_POINT = 1;
  private static final int TYPE = 2;
  private static final int OPTIONS = 3;

  private final List<String> mounts;
  private final List<String> own;

  /**
   * Creates a lookup.
   *
   * @param mounts the lines of {@code /proc/mounts}
   * @param own the lines of {@code /proc/self/cgroup}
   */
  ControlGroups(List<String> mounts, List<String> own) {
    this.mounts = List.copyOf(mounts);
    this.own = List.copyOf(own);
  }

  /** Returns the control groups of this process. */
  static ControlGroups ofThisProcess() throws IOException {
    return new ControlGroups(
        Files.readAllLines(Path.of("/proc/mounts")),
        Files.readAllLines(Path.of("/proc/self/cgroup")));
  }

  /** Returns the root of a controller's hierarchy; empty if it is not one of version 1. */
  Optional<Path> root(String controller) {
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .filter(
            mount ->
                mount[TYPE].equals("cgroup")
                    && List.of(mount[OPTIONS].split(",", -1)).contains(controller))
        .map(mount -> Path.of(mount[MOUNT_POINT]))
        .findFirst();
  }

  /**
   * Returns the root group, in which the kernel's own threads write, and that of this process,
   * which its children inherit.
   *
   * @throws IOException if the controller has no hierarchy
   */
  Set<Path> rootAndOwn(String controller) throws IOException {
    Path root =
        root(controller)
            .orElseThrow(() -> new IOException("No control group of version 1: " + controller));
    Set<Path> groups = new LinkedHashSet<>(List.of(root));
    for (String line : own) {
      List<String> fields = new ArrayList<>(List.of(line.split(":", 3)));
      if (List.of(fields.get(1).split(",", -1)).contains(controller)) {
        groups.add(root.resolve(fields.get(2).substring(1)).normalize());
      }
    }
    return groups;
  }

  /** Writes a value to a file of a group. */
  static void write(Path file, String value) throws IOException {
    Files.write(file, value.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
  }
}

package dev.weir.cluster.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks what must exist before anything is started. Each message names the remedy. */
public final class Prerequisites {
  private static final List<String> FOR_NAMESPACES = List.of("ip", "tc", "nsenter", "unshare");

  private Prerequisites() {}

  /**
   * Checks the prerequisites of a specification.
   *
   * @param path the directories to search for programs
   * @param mayMakeNamespaces whether this user may create namespaces
   * @throws ClusterException if a prerequisite is missing
   */
  public static void check(ClusterSpec spec, String path, boolean mayMakeNamespaces)
      throws IOException {
    if (!ProgramLookup.missing(List.of("setsid"), path).isEmpty()) {
      throw new ClusterException("Program setsid is missing: install util-linux");
    }
    Optional<String> lack = lackOf(spec.hosts(), path, mayMakeNamespaces);
    if (lack.isPresent()) {
      throw new ClusterException(lack.get() + ", or leave --link out");
    }
    spec.jars().hadoopJars();
    spec.jars().daemonJars();
    if (spec.dir() != null) {
      checkDir(spec.dir());
    }
  }

  /** Why this user cannot have nodes of a kind, with the remedy; empty if nothing prevents it. */
  static Optional<String> lackOf(HostKind hosts, String path, boolean mayMakeNamespaces) {
    if (hosts == HostKind.LOOPBACK) {
      return Optional.empty();
    }
    if (!mayMakeNamespaces) {
      return Optional.of(
          "Links and namespaces need root: run as root (in a container: a privileged one)");
    }
    return ProgramLookup.missing(FOR_NAMESPACES, path).stream()
        .findFirst()
        .map(
            program ->
                "Program "
                    + program
                    + " is missing: install iproute2 and util-linux (apt-get install iproute2)");
  }

  private static void checkDir(Path dir) throws IOException {
    if (Files.exists(new ClusterFiles(dir).state())) {
      throw new ClusterException(
          "There is already a cluster in "
              + dir
              + ": stop it with 'weir cluster stop --dir "
              + dir
              + "'");
    }
    if (Files.exists(dir)) {
      if (!Files.isDirectory(dir)) {
        throw new ClusterException(dir + " is not a directory: give a new one");
      }
      try (Stream<Path> files = Files.list(dir)) {
        if (files.findAny().isPresent()) {
          throw new ClusterException(dir + " is not empty: give a new or an empty directory");
        }
      }
    }
  }
}

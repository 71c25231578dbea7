package dev.weir.workflow.image;

import dev.weir.workflow.model.ContainerImage;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The container runtimes that the administrator allows, in the order in which they are tried.
 *
 * @param programs names on the search path, or absolute paths
 * @param environment variables of the runtimes
 */
record ContainerRuntimes(Set<String> programs, Map<String, String> environment) {

  /** The key of the allowed runtimes: names or paths of programs, separated by commas. */
  static final String KEY = "weir.containers";

  /** Runtimes without a daemon, which run containers as the user and need no further rights. */
  static final String DEFAULT = "apptainer,singularity,podman";

  /** The value that allows no runtime. Hadoop takes an empty value for a missing one. */
  static final String NONE = "none";

  /**
   * Reads a value of the key.
   *
   * @throws ContainerException when it names a program of another kind
   */
  static ContainerRuntimes of(String value, Map<String, String> environment)
      throws ContainerException {
    if (value.strip().equals(NONE)) {
      return new ContainerRuntimes(Set.of(), environment);
    }
    Set<String> programs = new LinkedHashSet<>();
    for (String program : value.split(",", -1)) {
      String name = program.strip();
      if (!name.isEmpty() && ContainerRuntime.of(name).isEmpty()) {
        throw new ContainerException(
            Result.REFUSED,
            KEY
                + " of the node has '"
                + name
                + "': write podman, docker, apptainer or singularity, or the path of one");
      }
      programs.add(name);
    }
    programs.remove("");
    return new ContainerRuntimes(programs, environment);
  }

  /**
   * Returns the first runtime that this machine has and that can run an image.
   *
   * @param node host name of the machine
   * @throws ContainerException when there is none
   */
  RuntimeProgram choose(ContainerImage image, String node) throws ContainerException {
    if (programs.isEmpty()) {
      throw new ContainerException(
          Result.REFUSED,
          "the task needs the container '"
              + image.text()
              + "', and "
              + node
              + " allows none: ask the administrator to set "
              + KEY
              + " in its weir-site.xml, for example to "
              + DEFAULT);
    }
    for (String program : programs) {
      ContainerRuntime kind = ContainerRuntime.of(program).orElseThrow();
      Optional<Path> path = find(program);
      if (path.isPresent() && kind.canRun(image)) {
        return new RuntimeProgram(kind, path.get(), environment);
      }
    }
    throw new ContainerException(
        Result.INFRASTRUCTURE,
        "the task needs the container '"
            + image.text()
            + "', and "
            + node
            + " has none of these programs for it: "
            + String.join(", ", programs)
            + (image.isForApptainerOnly() ? " (only Apptainer runs such an image)" : "")
            + ": install one, or change "
            + KEY
            + " in its weir-site.xml");
  }

  private Optional<Path> find(String program) {
    List<String> directories =
        program.startsWith("/")
            ? List.of("/")
            : Arrays.asList(environment.getOrDefault("PATH", "").split(":"));
    Stream<Path> paths = directories.stream().map(directory -> Path.of(directory, program));
    return paths
        .filter(path -> path.isAbsolute() && Files.isRegularFile(path) && Files.isExecutable(path))
        .findFirst();
  }
}

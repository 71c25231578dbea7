package dev.weir.workflow.image;

import dev.weir.workflow.model.ContainerImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The kinds of programs that run containers, and their command lines. A container has the files of
 * the attempt at the same paths, the user and the network of the worker, and nothing else of the
 * machine.
 */
enum ContainerRuntime {
  /** Runs containers as children of a monitor process, without a daemon. */
  PODMAN,
  /** Runs containers as children of a daemon. */
  DOCKER,
  /** Replaces itself by the command. */
  APPTAINER;

  private static final Map<String, ContainerRuntime> BY_PROGRAM =
      Map.of("podman", PODMAN, "docker", DOCKER, "apptainer", APPTAINER, "singularity", APPTAINER);

  private static final String DOCKER_SCHEME = "docker://";

  /** Returns the kind of a program. */
  static Optional<ContainerRuntime> of(String program) {
    return Optional.ofNullable(BY_PROGRAM.get(program.substring(program.lastIndexOf('/') + 1)));
  }

  boolean canRun(ContainerImage image) {
    return this == APPTAINER || !image.isForApptainerOnly();
  }

  /** Returns whether an image must be loaded from its file before a container can use it. */
  boolean loads(ContainerImage image) {
    return image.isFile() && !image.isForApptainerOnly();
  }

  /** Returns whether the command is a child of the runtime, and so measured and killed with it. */
  boolean isParent() {
    return this == APPTAINER;
  }

  /** Returns what the runtime calls an image that is not a file. */
  String name(ContainerImage image) {
    String text = image.text();
    if (this == APPTAINER) {
      return text.contains("://") ? text : DOCKER_SCHEME + text;
    }
    return text.startsWith(DOCKER_SCHEME) ? text.substring(DOCKER_SCHEME.length()) : text;
  }

  /** Returns the arguments that run a command. */
  List<String> run(ContainerCommand command) {
    return this == APPTAINER ? exec(command) : runAttached(command);
  }

  private List<String> runAttached(ContainerCommand command) {
    List<String> argv =
        new ArrayList<>(
            List.of(
                "run",
                "--rm",
                "--name=" + command.name(),
                "--pull=" + (command.isLoaded() ? "never" : "missing"),
                "--network=host",
                "--log-driver=none",
                // A removal kills at once.
                "--stop-timeout=0",
                "--security-opt=label=disable",
                "--security-opt=no-new-privileges"));
    if (this == PODMAN && !command.user().isRoot()) {
      argv.add("--userns=keep-id");
    }
    argv.add("--user=" + command.user());
    if (command.memoryBytes() > 0) {
      argv.add("--memory=" + command.memoryBytes());
    }
    argv.add("--mount=type=bind,source=" + command.root() + ",target=" + command.root());
    argv.add("--workdir=" + command.work());
    command.inherited().forEach(name -> argv.add("--env=" + name));
    variables(command.set(), argv);
    argv.add("--entrypoint=");
    argv.add(command.image());
    argv.addAll(command.argv());
    return argv;
  }

  /** Apptainer passes its environment to the command, but sets the home directory itself. */
  private static List<String> exec(ContainerCommand command) {
    List<String> argv =
        new ArrayList<>(List.of("--quiet", "exec", "--contain", "--bind=" + command.root()));
    Map<String, String> set = new TreeMap<>(command.set());
    argv.add("--home=" + set.remove("HOME"));
    argv.add("--pwd=" + command.work());
    variables(set, argv);
    argv.add(command.image());
    argv.addAll(command.argv());
    return argv;
  }

  private static void variables(Map<String, String> set, List<String> argv) {
    new TreeMap<>(set).forEach((name, value) -> argv.add("--env=" + name + "=" + value));
  }
}

package dev.weir.workflow.image;

import dev.weir.workflow.model.ContainerImage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The container of one attempt. */
public final class TaskContainer {

  private static final Logger LOG = LoggerFactory.getLogger(TaskContainer.class);

  /** Exit code of podman and docker when they cannot run the container. */
  private static final int NOT_RUN = 125;

  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  private final ContainerImage image;
  private final RuntimeProgram program;
  private final ContainerCommand command;
  private final Map<String, String> environment;

  TaskContainer(
      ContainerImage image,
      RuntimeProgram program,
      ContainerCommand command,
      Map<String, String> environment) {
    this.image = image;
    this.program = program;
    this.command = command;
    this.environment = Map.copyOf(environment);
  }

  /** Returns the command line that runs the attempt's command in the container. */
  public List<String> argv() {
    return program.argv(program.kind().run(command));
  }

  /** Returns the variables of that command line, from which the container gets its own. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Returns whether the resources of the command line include those of the container. */
  public boolean isMeasured() {
    return program.kind().isParent();
  }

  /**
   * Kills and removes the container, which does not end with its command line. Never fails:
   * processes that remain are found by their variables, and killed.
   */
  public void kill() {
    if (program.kind().isParent()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      program.call("rm", "--force", command.name());
    } catch (IOException e) {
      LOG.debug("Container {} is not removed", command.name(), e);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns the reason why the command failed.
   *
   * @param code its exit code, not 0
   * @param plain the explanation for a command without a container
   */
  public String explain(int code, String plain) {
    String exit = "the command exited with " + code;
    String of = " in the container image " + image.text();
    if (code == NOT_RUN && !isMeasured()) {
      return exit + ": " + program.path() + " cannot run the container; see the output";
    }
    if (code == NOT_FOUND) {
      return exit + ": '" + command.argv().get(0) + "', or a program that it calls, is not" + of;
    }
    if (code == NOT_EXECUTABLE) {
      return exit + ": '" + command.argv().get(0) + "' cannot be executed" + of;
    }
    return plain;
  }
}

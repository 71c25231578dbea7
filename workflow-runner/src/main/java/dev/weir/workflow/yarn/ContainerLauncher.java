package dev.weir.workflow.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/** Defines what a container runs. Implementations are thread-safe. */
@FunctionalInterface
public interface ContainerLauncher {

  /**
   * Returns the command, files, environment and credentials of a container.
   *
   * @param container id of the container
   * @throws IOException when the credentials or files cannot be read
   */
  ContainerLaunchContext context(String container) throws IOException;
}

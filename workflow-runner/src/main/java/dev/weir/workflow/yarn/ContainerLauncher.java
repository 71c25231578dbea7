package dev.weir.workflow.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/** Says what a container runs. Implementations are safe for any thread. */
@FunctionalInterface
public interface ContainerLauncher {

  /**
   * Returns what a container is to run: command, files, environment and credentials.
   *
   * @param container id of the container
   * @throws IOException when the credentials or files cannot be read
   */
  ContainerLaunchContext context(String container) throws IOException;
}

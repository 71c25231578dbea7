package dev.weir.workflow.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/** Defines what a container runs. Implementations are thread-safe. */
@FunctionalInterface
public interface ContainerLauncher {

  /** Returns the command, files, environment and credentials of a container. */
  ContainerLaunchContext context(String container) throws IOException;
}

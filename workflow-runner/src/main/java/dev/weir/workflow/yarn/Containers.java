package dev.weir.workflow.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;

/** The interface to YARN's containers. Thread-safe. */
public interface Containers {

  void ask(ContainerRequest request);

  /** Withdraws a request, which was answered or is not needed any more. */
  void withdraw(ContainerRequest request);

  /** Releases a container, whether it runs or not. */
  void release(ContainerId container);

  /** Requests no containers on this node from now on. */
  void avoid(String node);

  /** Accepts containers on this node again. */
  void avoidNoLonger(String node);

  /** Returns the number of nodes in the cluster, as far as it is known; 0 at first. */
  int nodes();

  /**
   * Starts the process of a container. Blocks.
   *
   * @throws IOException when its node does not start it
   */
  void start(Container container) throws IOException;
}

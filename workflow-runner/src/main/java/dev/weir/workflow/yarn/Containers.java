package dev.weir.workflow.yarn;

import java.io.IOException;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;

/** What YARN does with containers. Any thread may use it. */
public interface Containers {

  /** Asks for one. */
  void ask(ContainerRequest request);

  /** Asks for it no longer: it was given, or is not wanted any more. */
  void withdraw(ContainerRequest request);

  /** Gives one back, whether it runs or not. */
  void release(ContainerId container);

  /** Wants none on this node from now on. */
  void avoid(String node);

  /** Takes some on this node again. */
  void avoidNoLonger(String node);

  /** How many nodes the cluster has, as far as known; 0 at first. */
  int nodes();

  /**
   * Starts what runs in one. Blocks.
   *
   * @throws IOException when its node does not start it
   */
  void start(Container container) throws IOException;
}

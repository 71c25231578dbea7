package dev.weir.workflow.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Containers of a YARN cluster. */
final class YarnContainers implements Containers {

  private final AMRMClientAsync<ContainerRequest> master;
  private final NMClient nodes;
  private final FunctionRaisingIOE<String, ContainerLaunchContext> launch;

  YarnContainers(
      AMRMClientAsync<ContainerRequest> master,
      NMClient nodes,
      FunctionRaisingIOE<String, ContainerLaunchContext> launch) {
    this.master = master;
    this.nodes = nodes;
    this.launch = launch;
  }

  @Override
  public void ask(ContainerRequest request) {
    master.addContainerRequest(request);
  }

  @Override
  public void withdraw(ContainerRequest request) {
    master.removeContainerRequest(request);
  }

  @Override
  public void release(ContainerId container) {
    master.releaseAssignedContainer(container);
  }

  @Override
  public void avoid(String node) {
    // The client modifies the given lists.
    master.updateBlacklist(new ArrayList<>(List.of(node)), new ArrayList<>());
  }

  @Override
  public void avoidNoLonger(String node) {
    master.updateBlacklist(new ArrayList<>(), new ArrayList<>(List.of(node)));
  }

  @Override
  public int nodes() {
    return master.getClusterNodeCount();
  }

  @Override
  public void start(Container container) throws IOException {
    try {
      nodes.startContainer(container, launch.apply(container.getId().toString()));
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}

package dev.weir.workflow.am;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers' containers: asked for, spread evenly over the nodes, started, and replaced when they
 * are gone. Thread-safe.
 */
final class ContainerPool extends AMRMClientAsync.AbstractCallbackHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPool.class);
  private static final Priority PRIORITY = Priority.newInstance(1);
  private static final int LAUNCHES = 4;

  /** How many containers may be gone before the run is given up, for each worker wanted. */
  private static final int REPLACEMENTS = 5;

  private final Spec spec;
  private final Events events;
  private final NMClient nodes;
  private final ExecutorService launches = Executors.newFixedThreadPool(LAUNCHES, this::daemon);
  private final Map<Long, ContainerRequest> asked = new HashMap<>();
  private final Map<ContainerId, Container> held = new HashMap<>();
  private final Map<String, Integer> perNode = new HashMap<>();
  private final Set<String> full = new HashSet<>();
  private final Deque<List<String>> names;
  private AMRMClientAsync<ContainerRequest> master;
  private long lastRequestId;
  private int replaced;
  private boolean finished;

  /**
   * What is wanted.
   *
   * @param workers how many
   * @param size of each container
   * @param launch how to start one
   * @param names for each of the first workers, resource names that say where it would be best;
   *     empty lists and workers beyond the list may be anywhere
   */
  record Spec(
      int workers, Resource size, ContainerLaunchContext launch, List<List<String>> names) {}

  /** Who hears of trouble. */
  interface Events {

    /** A container is gone. */
    void gone(String container, String reason);

    /** There will be no more workers, or YARN wants this ApplicationMaster to stop. */
    void hopeless(String reason);

    /** Between 0 and 1. */
    float progress();
  }

  @SuppressWarnings("NullAway.Init") // the client needs this object as its call-back handler
  ContainerPool(Spec spec, Events events, NMClient nodes) {
    this.spec = spec;
    this.events = events;
    this.nodes = nodes;
    this.names = new ArrayDeque<>(spec.names());
  }

  private Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "launch");
    thread.setDaemon(true);
    return thread;
  }

  /** Asks for all workers. */
  synchronized void start(AMRMClientAsync<ContainerRequest> client) {
    master = client;
    for (int i = 0; i < spec.workers(); i++) {
      ask();
    }
  }

  /** No more containers are wanted; those held are on their way out. */
  synchronized void finish() {
    finished = true;
    asked.values().forEach(master::removeContainerRequest);
    asked.clear();
  }

  private void ask() {
    lastRequestId++;
    List<String> where = names.isEmpty() ? List.of() : names.remove();
    ContainerRequest request =
        ContainerRequest.newBuilder()
            .capability(spec.size())
            .priority(PRIORITY)
            .allocationRequestId(lastRequestId)
            .nodes(where.isEmpty() ? null : where.toArray(String[]::new))
            .relaxLocality(true)
            .build();
    asked.put(lastRequestId, request);
    master.addContainerRequest(request);
  }

  @Override
  public synchronized void onContainersAllocated(List<Container> containers) {
    for (Container container : containers) {
      ContainerRequest request = asked.remove(container.getAllocationRequestId());
      if (request != null) {
        master.removeContainerRequest(request);
      }
      String node = container.getNodeId().getHost();
      if (finished || request == null) {
        master.releaseAssignedContainer(container.getId());
      } else if (perNode.getOrDefault(node, 0) >= quota()) {
        LOG.info("{} has its share of workers; asking for one elsewhere", node);
        master.releaseAssignedContainer(container.getId());
        keepAwayFrom(node);
        ask();
      } else {
        perNode.merge(node, 1, Integer::sum);
        held.put(container.getId(), container);
        launches.execute(() -> launch(container));
      }
    }
  }

  /** The client changes the lists that it is given. */
  private void keepAwayFrom(String node) {
    if (full.add(node)) {
      master.updateBlacklist(new ArrayList<>(List.of(node)), new ArrayList<>());
    }
  }

  private void letBack(String node) {
    if (full.remove(node)) {
      master.updateBlacklist(new ArrayList<>(), new ArrayList<>(List.of(node)));
    }
  }

  /** The most workers of one node when they are spread evenly. */
  private int quota() {
    int clusterNodes = Math.max(1, master.getClusterNodeCount());
    return (spec.workers() + clusterNodes - 1) / clusterNodes;
  }

  private void launch(Container container) {
    try {
      LOG.info("Starting {} on {}", container.getId(), container.getNodeId());
      nodes.startContainer(container, spec.launch());
    } catch (YarnException | IOException | RuntimeException e) {
      LOG.warn("Cannot start {} on {}", container.getId(), container.getNodeId(), e);
      giveUp(container.getId(), "could not be started: " + e.getMessage());
    }
  }

  @Override
  public void onContainersCompleted(List<ContainerStatus> statuses) {
    for (ContainerStatus status : statuses) {
      giveUp(
          status.getContainerId(),
          "its container ended with "
              + status.getExitStatus()
              + ": "
              + status.getDiagnostics().strip());
    }
  }

  /** A worker is gone, whoever saw it first: its container is given back and another asked for. */
  void giveUp(String container, String reason) {
    giveUp(ContainerId.fromString(container), reason);
  }

  private void giveUp(ContainerId id, String reason) {
    boolean tooMany;
    synchronized (this) {
      Container container = held.remove(id);
      if (container == null || finished) {
        return;
      }
      LOG.info("{} on {} is gone: {}", id, container.getNodeId(), reason);
      master.releaseAssignedContainer(id);
      String node = container.getNodeId().getHost();
      perNode.merge(node, -1, Integer::sum);
      letBack(node);
      replaced++;
      tooMany = replaced > REPLACEMENTS * spec.workers();
      if (!tooMany) {
        ask();
      }
    }
    events.gone(id.toString(), reason);
    if (tooMany) {
      events.hopeless("worker containers keep ending; the last one on " + reason);
    }
  }

  @Override
  public void onContainersUpdated(List<UpdatedContainer> containers) {
    // None is ever asked for.
  }

  @Override
  public void onShutdownRequest() {
    events.hopeless("the ResourceManager wants this ApplicationMaster to stop");
  }

  @Override
  public void onNodesUpdated(List<NodeReport> updatedNodes) {
    List<String> changed = new ArrayList<>();
    updatedNodes.forEach(node -> changed.add(node.getNodeId() + " " + node.getNodeState()));
    LOG.info("Nodes: {}", changed);
  }

  @Override
  public float getProgress() {
    return events.progress();
  }

  @Override
  public void onError(Throwable e) {
    LOG.error("Lost the ResourceManager", e);
    events.hopeless("lost the ResourceManager: " + e);
  }
}

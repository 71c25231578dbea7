package dev.weir.yarn.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNodeReport;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager's nodes. They are examined at most once a second, and the containers of a
 * full node at most twice a second, however many callers there are. Thread-safe, but callers must
 * not hold a lock of a scheduler.
 */
public final class RmCluster {

  private static final long SNAPSHOT_MILLIS = 1_000;

  /** How often the containers of a full node are examined, in milliseconds. */
  public static final long EXAMINE_EVERY_MILLIS = 500;

  /** Asynchronous scheduling visits all nodes many times in this time. */
  private static final long ASYNC_NOTICE_MILLIS = 100;

  /** Examining more nodes would take too long within a heartbeat. */
  private static final int MAX_EXAMINED_NODES = 20;

  private static final Logger LOG = LoggerFactory.getLogger(RmCluster.class);

  private final RMContext context;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final ContainerRunTimes runTimes;
  private final CachedValue<Snapshot> snapshot = new CachedValue<>(SNAPSHOT_MILLIS);
  private final ConcurrentMap<NodeId, CachedValue<RoomEstimate>> estimates =
      new ConcurrentHashMap<>();
  private final AtomicLong examinations = new AtomicLong();

  private record Snapshot(ClusterView view, Map<String, NodeId> ids) {}

  /**
   * Creates a view of a ResourceManager.
   *
   * @param wallClock milliseconds since 1970, by which the ResourceManager dates containers
   */
  public RmCluster(
      RMContext context, LongSupplier clock, LongSupplier wallClock, ContainerRunTimes runTimes) {
    this.context = context;
    this.clock = clock;
    this.wallClock = wallClock;
    this.runTimes = runTimes;
  }

  public ClusterView view() {
    return snapshot().view();
  }

  /** The rack of a host; empty if no NodeManager runs there. */
  public String rackOf(String host) {
    List<ClusterNode> nodes = view().nodesOn(host);
    return nodes.isEmpty() ? "" : nodes.get(0).rack();
  }

  /**
   * The time until the first of the nodes is expected to have room. Only the first nodes of a long
   * list are examined.
   */
  public long millisUntilRoom(Collection<ClusterNode> nodes, ContainerRequirement requirement) {
    if (!(context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler)) {
      return 0;
    }
    Map<String, NodeId> ids = snapshot().ids();
    long soonest = RoomEstimate.NEVER;
    int examined = 0;
    for (ClusterNode named : nodes) {
      NodeId id = ids.get(named.name());
      SchedulerNode node = id == null ? null : scheduler.getSchedulerNode(id);
      if (node != null) {
        soonest = Math.min(soonest, millisUntilRoom(node, requirement));
        examined++;
      }
      if (soonest == 0 || examined >= MAX_EXAMINED_NODES) {
        break;
      }
    }
    return soonest;
  }

  private long millisUntilRoom(SchedulerNode node, ContainerRequirement requirement) {
    ResourceCalculator calculator = context.getScheduler().getResourceCalculator();
    if (Resources.fitsIn(calculator, requirement.capability(), node.getUnallocatedResource())) {
      return 0;
    }
    long now = clock.getAsLong();
    return estimates
        .computeIfAbsent(node.getNodeID(), absent -> new CachedValue<>(EXAMINE_EVERY_MILLIS))
        .get(now, at -> examine(node, calculator, at))
        .millisUntilRoom(requirement.capability(), now);
  }

  private RoomEstimate examine(SchedulerNode node, ResourceCalculator calculator, long now) {
    examinations.incrementAndGet();
    long wall = wallClock.getAsLong();
    List<RoomEstimate.Occupant> occupants = new ArrayList<>();
    for (RMContainer container : node.getCopiedListOfRunningContainers()) {
      ContainerRunTimes.Kind kind =
          new ContainerRunTimes.Kind(
              container.getApplicationAttemptId().getApplicationId(),
              container.getAllocatedSchedulerKey().getPriority().getPriority());
      long age = Math.max(0, wall - container.getCreationTime());
      occupants.add(
          new RoomEstimate.Occupant(
              runTimes.remaining(kind, age), container.getAllocatedResource()));
    }
    return new RoomEstimate(
        calculator,
        new RoomEstimate.Space(node.getTotalResource(), node.getUnallocatedResource()),
        occupants,
        now);
  }

  /** How often the containers of some node have been examined. */
  public long examinations() {
    return examinations.get();
  }

  private Snapshot snapshot() {
    return snapshot.get(clock.getAsLong(), now -> takeSnapshot());
  }

  private Snapshot takeSnapshot() {
    // Read before the nodes, so that nodes which register meanwhile are included.
    boolean registering = registering();
    boolean withPort =
        context
            .getYarnConfiguration()
            .getBoolean(
                YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME);
    Map<String, List<ClusterNode>> nodes = new HashMap<>();
    Map<String, Integer> loads = new HashMap<>();
    Map<String, NodeId> ids = new HashMap<>();
    Map<String, String> partitions = new HashMap<>();
    for (RMNode node : context.getRMNodes().values()) {
      if (node.getState() == NodeState.RUNNING) {
        String host = node.getHostName();
        String name = withPort ? host + ":" + node.getNodeID().getPort() : host;
        ClusterNode named = new ClusterNode(name, node.getRackName());
        List<ClusterNode> onHost =
            nodes.computeIfAbsent(host.toLowerCase(Locale.ROOT), absent -> new ArrayList<>());
        if (!onHost.contains(named)) {
          onHost.add(named);
        }
        ids.put(name, node.getNodeID());
        loads.put(name, load(node.getNodeID()));
        String partition = partition(node.getNodeID());
        if (!partition.isEmpty()) {
          partitions.put(name, partition);
        }
      }
    }
    estimates.keySet().retainAll(Set.copyOf(ids.values()));
    ClusterView.Partitions partitionsOfNodes =
        new ClusterView.Partitions(partitions, shared(Set.copyOf(partitions.values())));
    ClusterView view = ClusterView.of(nodes, loads, noticeMillis()).with(partitionsOfNodes);
    return new Snapshot(view.whileRegistering(registering), ids);
  }

  /** The same rule as in all schedulers. */
  private boolean registering() {
    if (!context.isWorkPreservingRecoveryEnabled()) {
      return false;
    }
    Service masters = context.getApplicationMasterService();
    // Asking before recovery would make the ResourceManager consider the registration period over
    // permanently.
    boolean recovered = masters == null || masters.isInState(Service.STATE.STARTED);
    return !recovered || !context.isSchedulerReadyForAllocatingContainers();
  }

  /** The label of a node's partition; empty if it has none or the scheduler has no labels. */
  private String partition(NodeId id) {
    SchedulerNode node =
        context.getScheduler() instanceof CapacityScheduler scheduler
            ? scheduler.getSchedulerNode(id)
            : null;
    return node == null ? "" : node.getPartition();
  }

  private Set<String> shared(Set<String> labels) {
    Set<String> shared = new HashSet<>();
    for (String label : labels) {
      try {
        if (!context.getNodeLabelManager().isExclusiveNodeLabel(label)) {
          shared.add(label);
        }
      } catch (IOException e) {
        LOG.debug("The label {} does not exist any more", label, e);
      }
    }
    return shared;
  }

  /** In tenths, so that the order of nodes does not change with every container. */
  private int load(NodeId id) {
    SchedulerNodeReport report = context.getScheduler().getNodeReport(id);
    if (report == null) {
      return 0;
    }
    long used = report.getUsedResource().getMemorySize();
    long all = used + report.getAvailableResource().getMemorySize();
    return all <= 0 ? 0 : (int) (10 * used / all);
  }

  private long noticeMillis() {
    if (context.getScheduler() instanceof CapacityScheduler scheduler
        && scheduler.getConfiguration().getScheduleAynschronously()) {
      return ASYNC_NOTICE_MILLIS;
    }
    Configuration conf = context.getYarnConfiguration();
    long heartbeat =
        conf.getLong(
            YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
            YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
    return heartbeat + heartbeat / 5;
  }
}

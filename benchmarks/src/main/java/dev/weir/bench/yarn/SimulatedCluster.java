package dev.weir.bench.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.YarnVersionInfo;

/**
 * A ResourceManager in this process with a heartbeat-driven Capacity scheduler, and nodes that
 * exist only in its tables. A heartbeat is the scheduler's event for it, handled on the caller's
 * thread, without the network and the node's status.
 */
final class SimulatedCluster implements AutoCloseable {
  static final int CONTAINER_MB = 1024;

  private static final int CONTAINERS = 8;
  private static final int PORT = 8041;
  private static final long DEADLINE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final String CAPACITY = "yarn.scheduler.capacity.";

  private final Manager manager = new Manager();
  private final List<RMNode> nodes = new ArrayList<>();

  private static final class Events extends AsyncDispatcher {
    Events() {
      super("RM Event dispatcher");
    }

    boolean isIdle() {
      return isDrained() && isEventThreadWaiting();
    }
  }

  private static final class Manager extends ResourceManager {
    @Override
    protected void startWepApp() {
      // The web interface is not needed.
    }

    @Override
    protected Dispatcher createDispatcher() {
      return new Events();
    }

    @Override
    protected EventHandler<SchedulerEvent> createSchedulerEventDispatcher() {
      return event -> scheduler.handle(event);
    }
  }

  /**
   * Starts the ResourceManager and registers all nodes.
   *
   * @param variant whether it has the plugin
   */
  SimulatedCluster(SchedulerVariant variant, int count)
      throws IOException, YarnException, InterruptedException {
    manager.init(configuration(variant));
    manager.start();
    for (int i = 0; i < count; i++) {
      register(NodeId.newInstance(SimulatedHosts.host(i), PORT));
    }
    await(() -> manager.getResourceScheduler().getNumClusterNodes() == count, count + " nodes");
    for (int i = 0; i < count; i++) {
      NodeId id = NodeId.newInstance(SimulatedHosts.host(i), PORT);
      nodes.add(manager.getRMContext().getRMNodes().get(id));
    }
  }

  private static Configuration configuration(SchedulerVariant variant) {
    YarnConfiguration conf = new YarnConfiguration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    conf.setBoolean(CAPACITY + "schedule-asynchronously.enable", false);
    conf.set(CAPACITY + "root.queues", "default");
    conf.set(CAPACITY + "root.default.capacity", "100");
    conf.set(CAPACITY + "maximum-am-resource-percent", "1");
    for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
      conf.set(key, "127.0.0.1:0");
    }
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        SimulatedHosts.class,
        DNSToSwitchMapping.class);
    conf.setClass(
        "fs." + SimulatedFileSystem.SCHEME + ".impl", SimulatedFileSystem.class, FileSystem.class);
    conf.set(
        CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, SimulatedFileSystem.SCHEME + ":///");
    // Silent nodes and ApplicationMasters must not expire.
    for (String key :
        List.of(
            YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS,
            YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS)) {
      conf.setLong(key, TimeUnit.HOURS.toMillis(6));
    }
    variant.settings().forEach(conf::set);
    return conf;
  }

  private void register(NodeId id) throws IOException, YarnException {
    NodeHealthStatus health = Records.newRecord(NodeHealthStatus.class);
    health.setIsNodeHealthy(true);
    health.setHealthReport("");
    health.setLastHealthReportTime(1);
    NodeStatus status = Records.newRecord(NodeStatus.class);
    status.setNodeId(id);
    status.setResponseId(0);
    status.setContainersStatuses(List.of());
    status.setNodeHealthStatus(health);
    RegisterNodeManagerRequest request = Records.newRecord(RegisterNodeManagerRequest.class);
    request.setNodeId(id);
    request.setHttpPort(PORT + 1);
    request.setResource(Resource.newInstance(CONTAINERS * CONTAINER_MB, CONTAINERS));
    request.setNMVersion(YarnVersionInfo.getVersion());
    request.setNodeStatus(status);
    manager.getResourceTrackerService().registerNodeManager(request);
  }

  /** Sends one heartbeat of a node, which may allocate containers on it. */
  void heartbeat(int node) {
    manager.getResourceScheduler().handle(new NodeUpdateSchedulerEvent(nodes.get(node)));
  }

  /** Makes the nodes fetch the clean-up requests that the ResourceManager holds for them. */
  void deliverCleanups() {
    drain();
    for (RMNode node : nodes) {
      node.setAndUpdateNodeHeartbeatResponse(Records.newRecord(NodeHeartbeatResponse.class));
    }
  }

  /** Waits until all events and those that follow from them are handled. */
  void drain() {
    Events events = (Events) manager.getRMContext().getDispatcher();
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!events.isIdle()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Events are still pending after five minutes");
      }
      // This is measured, and a sleep would round it up.
      Thread.onSpinWait();
    }
  }

  ResourceManager manager() {
    return manager;
  }

  static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Waited five minutes for " + what);
      }
      Thread.sleep(1);
    }
  }

  @Override
  public void close() {
    manager.stop();
  }
}

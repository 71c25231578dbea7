package dev.weir.yarn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/** The ResourceManager's nodes, looked through at most once a second. Safe for any thread. */
final class RmCluster {

  private static final long FRESH_MILLIS = 1_000;

  /** Asynchronous scheduling goes round all nodes many times in this. */
  private static final long ASYNC_NOTICE_MILLIS = 100;

  private final RMContext context;
  private final LongSupplier clock;
  private volatile @Nullable Snapshot last;

  private record Snapshot(ClusterView view, long atMillis) {}

  RmCluster(RMContext context, LongSupplier clock) {
    this.context = context;
    this.clock = clock;
  }

  ClusterView view() {
    long now = clock.getAsLong();
    Snapshot snapshot = last;
    if (snapshot == null || now - snapshot.atMillis() >= FRESH_MILLIS) {
      snapshot = new Snapshot(look(), now);
      last = snapshot;
    }
    return snapshot.view();
  }

  private ClusterView look() {
    boolean withPort =
        context
            .getYarnConfiguration()
            .getBoolean(
                YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME);
    Map<String, List<ClusterNode>> nodes = new HashMap<>();
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
      }
    }
    return ClusterView.of(nodes, noticeMillis());
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

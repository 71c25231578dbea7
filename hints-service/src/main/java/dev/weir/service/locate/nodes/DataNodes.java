package dev.weir.service.locate.nodes;

import dev.weir.service.access.CallerFileSystems;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes as NameNodes report them to the service's own user, which must be a superuser of
 * HDFS for that. A report is cached for a few seconds.
 */
public final class DataNodes {
  private static final Duration CACHE_TIME = Duration.ofSeconds(5);

  /** The default of the NameNode. */
  private static final long STALE_MILLIS = 30_000;

  private final CallerFileSystems callers;
  private final Clock clock;
  private final Map<String, CachedReport> reports = new ConcurrentHashMap<>();

  /** Creates a source of reports on the file systems that can be called. */
  public DataNodes(CallerFileSystems callers, Clock clock) {
    this.callers = callers;
    this.clock = clock;
  }

  /**
   * Returns the DataNodes of a file system.
   *
   * @param authority of a configured file system
   */
  public ClusterNodes of(String authority) throws IOException {
    CachedReport report = reports.computeIfAbsent(authority, key -> new CachedReport());
    synchronized (report) {
      Instant now = clock.instant();
      ClusterNodes cached = report.nodes;
      if (cached == null
          || !now.isBefore(report.readAt.plus(CACHE_TIME))
          || now.isBefore(report.readAt)) {
        cached = callers.call(callers.self(), authority, this::read);
        report.nodes = cached;
        report.readAt = now;
      }
      return cached;
    }
  }

  private ClusterNodes read(FileSystem files) throws IOException {
    if (!(files instanceof DistributedFileSystem hdfs)) {
      return ClusterNodes.unknown("the file system is not HDFS and has no DataNodes");
    }
    try {
      DatanodeInfo[] live = hdfs.getDataNodeStats(DatanodeReportType.LIVE);
      DatanodeInfo[] dead = hdfs.getDataNodeStats(DatanodeReportType.DEAD);
      // The newest heartbeat stands for the NameNode's clock.
      long newest = Arrays.stream(live).mapToLong(DatanodeInfo::getLastUpdate).max().orElse(0);
      List<DataNode> nodes = new ArrayList<>();
      for (DatanodeInfo node : live) {
        nodes.add(node(node, state(node, newest)));
      }
      return ClusterNodes.of(
          nodes, Arrays.stream(dead).map(node -> node(node, DataNode.State.DEAD)).toList());
    } catch (IOException e) {
      IOException unwrapped =
          e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
      if (unwrapped instanceof AccessControlException) {
        return ClusterNodes.unknown(
            "the NameNode does not report its DataNodes to "
                + callers.self()
                + "; make it a member of dfs.permissions.superusergroup");
      }
      throw e;
    }
  }

  private static DataNode.State state(DatanodeInfo node, long newest) {
    if (node.isDecommissioned() || node.isDecommissionInProgress()) {
      return DataNode.State.DECOMMISSIONED;
    }
    if (node.isMaintenance()) {
      return DataNode.State.MAINTENANCE;
    }
    return newest - node.getLastUpdate() > STALE_MILLIS
        ? DataNode.State.STALE
        : DataNode.State.IN_SERVICE;
  }

  private static DataNode node(DatanodeInfo node, DataNode.State state) {
    return new DataNode(
        node.getHostName(),
        node.getXferPort(),
        node.getNetworkLocation(),
        state,
        node.getRemaining(),
        Math.max(0, node.getCacheRemaining()));
  }

  /** Guarded by its monitor. */
  private static final class CachedReport {
    private @Nullable ClusterNodes nodes;
    private Instant readAt = Instant.MIN;
  }
}

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
  private static final Duration KEPT = Duration.ofSeconds(5);

  /** The default of the NameNode. */
  private static final long STALE_MILLIS = 30_000;

  private final CallerFileSystems callers;
  private final Clock clock;
  private final Map<String, Slot> slots = new ConcurrentHashMap<>();

  /** Creates a source of reports on the file systems that can be called. */
  public DataNodes(CallerFileSystems callers, Clock clock) {
    this.callers = callers;
    this.clock = clock;
  }

  /**
   * Returns the DataNodes of a file system.
   *
   * @param authority of a configured file system
   * @throws IOException if the NameNode does not answer
   */
  public ClusterNodes of(String authority) throws IOException {
    Slot slot = slots.computeIfAbsent(authority, key -> new Slot());
    synchronized (slot) {
      Instant now = clock.instant();
      ClusterNodes present = slot.nodes;
      if (present == null || !now.isBefore(slot.read.plus(KEPT)) || now.isBefore(slot.read)) {
        present = callers.ask(callers.self(), authority, this::ask);
        slot.nodes = present;
        slot.read = now;
      }
      return present;
    }
  }

  private ClusterNodes ask(FileSystem files) throws IOException {
    if (!(files instanceof DistributedFileSystem hdfs)) {
      return ClusterNodes.unknown("the file system is not HDFS and has no DataNodes");
    }
    try {
      DatanodeInfo[] live = hdfs.getDataNodeStats(DatanodeReportType.LIVE);
      DatanodeInfo[] dead = hdfs.getDataNodeStats(DatanodeReportType.DEAD);
      // Uses the NameNode's clock rather than this host's.
      long newest = Arrays.stream(live).mapToLong(DatanodeInfo::getLastUpdate).max().orElse(0);
      List<DataNode> known = new ArrayList<>();
      for (DatanodeInfo node : live) {
        known.add(node(node, state(node, newest)));
      }
      return ClusterNodes.of(
          known, Arrays.stream(dead).map(node -> node(node, DataNode.State.DEAD)).toList());
    } catch (IOException e) {
      IOException real = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
      if (real instanceof AccessControlException) {
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

  /** Accessed only while its monitor is held. */
  private static final class Slot {
    private @Nullable ClusterNodes nodes;
    private Instant read = Instant.MIN;
  }
}

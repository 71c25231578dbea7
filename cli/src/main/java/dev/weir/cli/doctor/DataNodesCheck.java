package dev.weir.cli.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Checks that DataNodes can cache and pin blocks as hints request, and have room on their disks.
 *
 * @param scheme the URL scheme of the daemons' web servers
 */
record DataNodesCheck(DistributedFileSystem fileSystem, String scheme, DaemonPages pages)
    implements Check {
  private static final String SUBJECT = "DataNodes";

  /** The number of DataNodes whose configuration is read; usually all are configured alike. */
  private static final int ASKED = 3;

  /** With less free space up to YARN's limit, in percent, caches of runs have little room. */
  private static final int LEAST_PERCENT = 5;

  private static final int PERCENT = 100;

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    List<DatanodeInfo> live;
    try {
      live = List.of(fileSystem.getDataNodeStats(DatanodeReportType.LIVE));
    } catch (RemoteException e) {
      if (!(e.unwrapRemoteException() instanceof AccessControlException)) {
        throw e;
      }
      findings.unknown("only superusers may list them", "run doctor as a superuser of HDFS");
      return;
    }
    List<Map<String, String>> settings = new ArrayList<>();
    for (DatanodeInfo node : live.subList(0, Math.min(live.size(), ASKED))) {
      boolean secure = "https".equals(scheme);
      int port = secure ? node.getInfoSecurePort() : node.getInfoPort();
      URI page = URI.create(scheme + "://" + node.getIpAddr() + ":" + port + "/");
      settings.add(pages.settings(page));
    }
    long cache = live.stream().mapToLong(DatanodeInfo::getCacheCapacity).sum();
    judge(live.size(), cache, findings);
    disks(
        live.stream().map(DatanodeInfo::getRemainingPercent).toList(),
        diskLimit(fileSystem.getConf()),
        findings);
    pinning(settings, fileSystem.getConf().getBoolean(Settings.PINNING_KEY, false), findings);
  }

  /**
   * Adds the findings about the DataNodes' memory.
   *
   * @param live the number of live DataNodes
   * @param cacheBytes the memory that all of them together may lock
   */
  static void judge(int live, long cacheBytes, Findings findings) {
    if (live == 0) {
      findings.wrong("none is alive", "start some");
    } else {
      findings.fine(live + (live == 1 ? " is alive" : " are alive"));
    }

    if (cacheBytes == 0) {
      findings.note(
          "may lock no memory: hints with 'cache', such as reuse, pin nothing",
          "if files are to be kept in memory, hdfs-site.xml of DataNodes:"
              + " dfs.datanode.max.locked.memory = BYTES, not above 'ulimit -l' of their"
              + " user");
    } else {
      findings.fine("may lock " + (cacheBytes >> 20) + " MiB of memory in all");
    }
  }

  /** Returns the percentage used above which a NodeManager does not use a disk. */
  static float diskLimit(Configuration yarn) {
    return yarn.getBoolean(Settings.DISK_CHECK_KEY, true)
            && yarn.getBoolean(Settings.DISK_LIMITED_KEY, true)
        ? yarn.getFloat(Settings.DISK_KEY, Settings.DISK_DEFAULT)
        : PERCENT;
  }

  /**
   * Adds the finding about the disks, which usually are those of NodeManagers too.
   *
   * @param free what each DataNode has free, in percent
   * @param limit the percentage used above which a NodeManager does not use a disk; 100 for none
   */
  static void disks(List<Float> free, float limit, Findings findings) {
    if (limit >= PERCENT) {
      return;
    }
    long full = free.stream().filter(one -> one < PERCENT - limit + LEAST_PERCENT).count();
    if (full > 0) {
      findings.note(
          ("%d of %d have little or no space below YARN's limit for disks: caches of runs are small"
                  + " or off there, unless dfs.datanode.du.reserved keeps the room")
              .formatted(full, free.size()),
          "free space or run the Balancer; on large disks, yarn-site.xml of NodeManagers: %s, now %d"
              .formatted(Settings.DISK_KEY, Math.round(limit)));
    }
  }

  /**
   * Adds the finding about pinning: the Balancer moves blocks unless clients pin them and DataNodes
   * keep the pins.
   *
   * @param settings configurations of some DataNodes
   * @param client whether this client pins blocks
   */
  static void pinning(List<Map<String, String>> settings, boolean client, Findings findings) {
    boolean kept =
        !settings.isEmpty()
            && settings.stream().allMatch(one -> "true".equals(one.get(Settings.PINNING_KEY)));
    if (kept && client) {
      findings.fine(Settings.PINNING_KEY + " is true, for them and for this client");
      return;
    }
    if (kept) {
      findings.note(
          Settings.PINNING_KEY
              + " is true for them and not for this client: the Balancer may move away what"
              + " is written from here",
          "hdfs-site.xml of clients: " + Settings.PINNING_KEY + " = true");
    } else {
      findings.note(
          Settings.PINNING_KEY + " is off: the Balancer may move hinted blocks away",
          "if you run the Balancer while workflows run, hdfs-site.xml of DataNodes and"
              + " clients: "
              + Settings.PINNING_KEY
              + " = true");
    }
  }
}

package dev.weir.cli.cluster;

import dev.weir.cluster.plan.ClusterException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The subcommands of {@code hdfs} or {@code yarn}, and the classes that Hadoop's scripts run for
 * them.
 */
record HadoopShell(String program, Map<String, String> classes) {
  private static final String APPLICATION = "org.apache.hadoop.yarn.client.cli.ApplicationCLI";
  private static final String TOOLS = "org.apache.hadoop.hdfs.tools.";

  static final HadoopShell HDFS =
      new HadoopShell(
          "hdfs",
          Map.ofEntries(
              Map.entry("dfs", "org.apache.hadoop.fs.FsShell"),
              Map.entry("dfsadmin", TOOLS + "DFSAdmin"),
              Map.entry("haadmin", TOOLS + "DFSHAAdmin"),
              Map.entry("fsck", TOOLS + "DFSck"),
              Map.entry("getconf", TOOLS + "GetConf"),
              Map.entry("cacheadmin", TOOLS + "CacheAdmin"),
              Map.entry("storagepolicies", TOOLS + "StoragePolicyAdmin"),
              Map.entry("ec", TOOLS + "ECAdmin"),
              Map.entry("crypto", TOOLS + "CryptoAdmin"),
              Map.entry("groups", TOOLS + "GetGroups"),
              Map.entry("debug", TOOLS + "DebugAdmin"),
              Map.entry("lsSnapshottableDir", TOOLS + "snapshot.LsSnapshottableDir"),
              Map.entry("snapshotDiff", TOOLS + "snapshot.SnapshotDiff"),
              Map.entry("oiv", TOOLS + "offlineImageViewer.OfflineImageViewerPB"),
              Map.entry("oev", TOOLS + "offlineEditsViewer.OfflineEditsViewer"),
              Map.entry("balancer", "org.apache.hadoop.hdfs.server.balancer.Balancer"),
              Map.entry("mover", "org.apache.hadoop.hdfs.server.mover.Mover")));

  static final HadoopShell YARN =
      new HadoopShell(
          "yarn",
          Map.ofEntries(
              Map.entry("app", APPLICATION),
              Map.entry("application", APPLICATION),
              Map.entry("applicationattempt", APPLICATION),
              Map.entry("container", APPLICATION),
              Map.entry("node", "org.apache.hadoop.yarn.client.cli.NodeCLI"),
              Map.entry("queue", "org.apache.hadoop.yarn.client.cli.QueueCLI"),
              Map.entry("logs", "org.apache.hadoop.yarn.client.cli.LogsCLI"),
              Map.entry("cluster", "org.apache.hadoop.yarn.client.cli.ClusterCLI"),
              Map.entry("rmadmin", "org.apache.hadoop.yarn.client.cli.RMAdminCLI"),
              Map.entry("schedulerconf", "org.apache.hadoop.yarn.client.cli.SchedConfCLI"),
              Map.entry("jar", "org.apache.hadoop.util.RunJar")));

  /** Returns the class for the first word. */
  String mainClass(List<String> words) throws IOException {
    String known = String.join(", ", new TreeSet<>(classes.keySet()));
    String word = words.isEmpty() ? "" : words.get(0);
    String mainClass = classes.get(word);
    if (mainClass == null) {
      throw new ClusterException(
          "No '" + (program + " " + word).strip() + "' here: write one of " + known);
    }
    return mainClass;
  }

  /** Returns the arguments of the class, which may need the first word. */
  List<String> arguments(List<String> words) {
    List<String> arguments = new ArrayList<>(words);
    if (!APPLICATION.equals(classes.get(words.get(0)))) {
      arguments.remove(0);
    }
    return arguments;
  }
}

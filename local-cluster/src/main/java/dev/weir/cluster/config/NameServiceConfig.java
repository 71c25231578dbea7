package dev.weir.cluster.config;

import dev.weir.cluster.daemon.NameNodeMain;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.NodeInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The HDFS properties that locate the NameNode: its address or, if there is a standby, the name of
 * the name service. Two NameNodes share an edits directory on this machine's disk. The user or a
 * test chooses which one is active.
 */
public final class NameServiceConfig {
  /** The name service of both NameNodes. */
  public static final String NAME = "weir";

  private static final String RPC = "dfs.namenode.rpc-address";
  private static final String HTTP = "dfs.namenode.http-address";

  private final ClusterPlan plan;

  public NameServiceConfig(ClusterPlan plan) {
    this.plan = plan;
  }

  String defaultFs() {
    return plan.servers().standby()
        ? "hdfs://" + NAME
        : "hdfs://" + plan.master().address() + ":" + SiteProperties.NAMENODE_PORT;
  }

  /** The properties of all daemons and clients. */
  Map<String, String> shared() {
    Map<String, String> conf = new LinkedHashMap<>();
    if (!plan.servers().standby()) {
      conf.put(HTTP, plan.master().address() + ":" + SiteProperties.NAMENODE_HTTP);
      return conf;
    }
    conf.put("dfs.nameservices", NAME);
    conf.put("dfs.ha.namenodes." + NAME, "nn1,nn2");
    for (NodeInfo master : plan.masters()) {
      String suffix = suffix(plan, master);
      conf.put(RPC + suffix, master.address() + ":" + SiteProperties.NAMENODE_PORT);
      conf.put(HTTP + suffix, master.address() + ":" + SiteProperties.NAMENODE_HTTP);
    }
    conf.put(
        "dfs.client.failover.proxy.provider." + NAME,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    // A user or a test may be about to start the other NameNode: retry after 1 s, not after 15 s.
    conf.put("dfs.client.failover.sleep.max.millis", "1000");
    conf.put("dfs.ha.automatic-failover.enabled", "false");
    // Needs no fencing: the caller of a failover has stopped the other NameNode or can reach it.
    conf.put("dfs.ha.fencing.methods", "shell(/bin/true)");
    return conf;
  }

  /** The additional properties of a NameNode. */
  Map<String, String> of(NodeInfo master) {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("dfs.namenode.name.dir", plan.files().node(master.name()).toUri() + "name");
    if (plan.servers().standby()) {
      conf.put("dfs.ha.namenode.id", id(master.name()));
      conf.put("dfs.namenode.shared.edits.dir", plan.files().sharedEdits().toUri().toString());
      conf.put("dfs.ha.tail-edits.period", "1s");
      conf.put("dfs.ha.log-roll.period", "10s");
      conf.put(
          NameNodeMain.BOOTSTRAP_STANDBY,
          String.valueOf(master.name().equals(ClusterPlan.SECOND_MASTER)));
    }
    return conf;
  }

  static List<NodeInfo> nameNodes(ClusterPlan plan) {
    return plan.servers().standby() ? plan.masters() : List.of(plan.master());
  }

  /** The suffix of keys for one NameNode; empty if there is only one. */
  static String suffix(ClusterPlan plan, NodeInfo master) {
    return plan.servers().standby() ? "." + NAME + "." + id(master.name()) : "";
  }

  /** The id of a node's NameNode in {@code hdfs haadmin}. */
  public static String id(String node) {
    return node.equals(ClusterPlan.SECOND_MASTER) ? "nn2" : "nn1";
  }
}

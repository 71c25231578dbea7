package dev.weir.cluster.config;

import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.HostKind;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment of the processes of a node. Two variables mark the processes as the cluster's,
 * and YARN's whitelist passes them on to containers. The process table finds by them what to kill
 * when a node is stopped.
 */
public final class NodeEnvironment {
  /** The directory of the cluster that a process belongs to. */
  public static final String CLUSTER = "WEIR_CLUSTER";

  /** The node that a process belongs to. */
  public static final String NODE = "WEIR_NODE";

  /** The name of the daemon that a process is; containers have none. */
  public static final String DAEMON = "WEIR_DAEMON";

  /** Variables of this process's own Java or Hadoop that a node must not inherit. */
  private static final Set<String> FOREIGN =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", DAEMON);

  private final ClusterPlan plan;
  private final String javaHome;

  public NodeEnvironment(ClusterPlan plan) {
    this.plan = plan;
    javaHome = plan.jars().java().toString();
  }

  /** Turns the environment of this process into that of a process of the node. */
  public void apply(Map<String, String> environment, String node) {
    environment
        .keySet()
        .removeIf(
            name ->
                FOREIGN.contains(name) || name.startsWith("HADOOP_") || name.startsWith("YARN_"));
    ClusterFiles files = plan.files();
    environment.put(CLUSTER, plan.dir().toString());
    environment.put(NODE, node);
    environment.put("JAVA_HOME", javaHome);
    environment.put("HADOOP_CONF_DIR", files.nodeConf(node).toString());
    environment.merge("PATH", javaHome + "/bin", (path, bin) -> bin + File.pathSeparator + path);
    List<String> options = new ArrayList<>();
    if (plan.hosts() == HostKind.LOOPBACK) {
      // A namespace has its own /etc/hosts. Here only Java can read the names.
      options.add("-Djdk.net.hosts.file=" + files.nodeHosts(node));
    }
    if (plan.servers().secure()) {
      options.add(KerberosConfig.javaOption(plan));
      environment.put(
          "KRB5CCNAME", KerberosConfig.ticket(plan, System.getProperty("user.name")).toString());
    }
    if (!options.isEmpty()) {
      environment.put("JAVA_TOOL_OPTIONS", String.join(" ", options));
    }
  }
}

package dev.weir.cli.cluster;

import dev.weir.cli.common.OptionSection;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HadoopRelease;
import dev.weir.cluster.plan.LinkRate;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "start",
    description = {
      "Starts a cluster and leaves it running.",
      "Without --link each node is a loopback address, which any user may create."
          + " With it each node is a network namespace whose link has that rate, which"
          + " needs root."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir cluster start --nodes 6",
      "  weir cluster start --nodes 6 --racks 2 --link 200mbit",
      "  weir cluster start --hadoop 3.4.3 --java /usr/lib/jvm/java-11"
    })
@OptionSection(
    heading = "Size",
    options = "--nodes --racks --link --namenodes --resource-managers --secure --split-nodes")
@OptionSection(heading = "Software", options = "--hadoop --java --stock --no-service -D")
@OptionSection(heading = "Where", options = "--dir")
final class StartCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of nodes besides the master (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--racks",
      paramLabel = "R",
      defaultValue = "1",
      description =
          "Number of racks, to which the nodes are assigned in turn (default:"
              + " ${DEFAULT-VALUE}).")
  private int racks;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      converter = LinkRateConverter.class,
      description =
          "Rate of every link in bits per second, such as 200mbit or 1gbit, or unlimited.")
  private @Nullable LinkRate link;

  @Option(
      names = "--namenodes",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Number of NameNodes, 1 or 2 (default: ${DEFAULT-VALUE}). The second one is a"
            + " standby on master2.",
        "'weir cluster hdfs haadmin -failover nn1 nn2' makes it active."
      })
  private int nameNodes;

  @Option(
      names = "--resource-managers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of ResourceManagers, 1 or 2 (default: ${DEFAULT-VALUE}). The second one, on"
              + " master2, becomes active when the first one is killed.")
  private int resourceManagers;

  @Option(
      names = "--secure",
      description = {
        "Start a cluster with Kerberos, privacy of calls and data transfers, and web servers with"
            + " TLS only.",
        "'weir cluster env --user alice' makes a shell that of a user without special rights."
      })
  private boolean secure;

  @Option(
      names = "--split-nodes",
      description =
          "Run the DataNode and the NodeManager of a node in separate processes,"
              + " n1-datanode and n1-nodemanager, so that one can be killed without the other.")
  private boolean splitNodes;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "New or empty directory for the files of the cluster.")
  private @Nullable Path dir;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description = {
        "Run the daemons from this release of Hadoop, such as 3.4.3, instead of Weir's own.",
        "Maven fetches its jars once into ~/.cache/weir/hadoop."
      })
  private @Nullable String hadoop;

  @Option(
      names = "--java",
      paramLabel = "DIR",
      description =
          "Home of the Java runtime of the daemons and their containers, which may be Java 11."
              + " The hints service uses the command's own.")
  private @Nullable Path java;

  @Option(
      names = "--stock",
      description = "Start stock Hadoop, without Weir's plugins, settings and service.")
  private boolean stock;

  @Option(names = "--no-service", description = "Do not start Weir's hints service.")
  private boolean noService;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Hadoop property of the cluster; may be repeated.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException {
    long begun = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    LocalCluster cluster;
    try (ProgressLine progress =
        new ProgressLine(spec.commandLine().getErr(), Ansi.AUTO.enabled())) {
      cluster = LocalCluster.start(clusterSpec(), progress);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    String up = nodes == 1 ? "1 node is" : nodes + " nodes are";
    out.printf("%s up after %d s in %s%n", up, seconds, cluster.dir());
    out.printf("  HDFS     %s%n", cluster.configuration().get("fs.defaultFS"));
    String protocol = secure ? "https" : "http";
    cluster
        .configuration()
        .getPropsWithPrefix("dfs.namenode." + protocol + "-address")
        .values()
        .forEach(address -> out.printf("           %s://%s%n", protocol, address));
    YarnConfiguration yarn = new YarnConfiguration(cluster.configuration());
    String key =
        secure ? YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS : YarnConfiguration.RM_WEBAPP_ADDRESS;
    out.printf("  YARN     %s://%s%n", protocol, yarn.get(key + ".rm1", yarn.get(key)));
    for (URI hints : cluster.hintServices()) {
      out.printf("  hints    %s%n", hints);
    }
    out.println("  clients  eval \"$(weir cluster env)\"");
    out.println("  remove   weir cluster stop");
    out.flush();
    return 0;
  }

  private HadoopJars jars() throws IOException {
    HadoopJars jars = DistributionJars.locate();
    if (hadoop != null) {
      jars = jars.withDaemons(HadoopRelease.of(hadoop).directory());
    }
    if (java != null) {
      jars = jars.withJava(java);
    }
    return stock ? jars.withoutPlugins() : jars;
  }

  private ClusterSpec clusterSpec() throws IOException {
    ClusterSpec.Builder builder =
        ClusterSpec.builder(jars())
            .nodes(nodes)
            .racks(racks)
            .nameNodes(nameNodes)
            .resourceManagers(resourceManagers)
            .splitNodes(splitNodes)
            .secure(secure)
            .keepRunning(true);
    if (noService) {
      builder.hintServices(0);
    }
    if (link != null) {
      builder.link(link);
    }
    if (dir != null) {
      builder.dir(dir);
    }
    properties.forEach(builder::configuration);
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new ClusterException(String.valueOf(e.getMessage()), e);
    }
  }
}

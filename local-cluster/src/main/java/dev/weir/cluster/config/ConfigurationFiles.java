package dev.weir.cluster.config;

import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes the configuration files of a cluster into its directory. */
public final class ConfigurationFiles {
  private static final String CLIENT_LOG =
      """
      log4j.rootLogger=WARN, console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
      # Omits a line for each request.
      log4j.logger.http.requests=WARN
      # Omits a line for each block directory.
      log4j.logger.org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetImpl=WARN
      # Omits the warning about the missing native library.
      log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
      """;
  private static final String DAEMON_LOG = CLIENT_LOG.replace("=WARN,", "=INFO,");

  private final ClusterPlan plan;
  private final SiteProperties site;
  private final String machineName;

  /**
   * Creates a writer.
   *
   * @param machineName the host name of this machine; empty if unknown
   */
  public ConfigurationFiles(ClusterPlan plan, SiteProperties site, String machineName) {
    this.plan = plan;
    this.site = site;
    this.machineName = machineName;
  }

  public void write() throws IOException {
    ClusterFiles files = plan.files();
    for (String app : new String[] {"hdfs", "datanode"}) {
      Files.createDirectories(files.web().resolve("webapps").resolve(app));
    }
    Files.createDirectories(files.logs());
    Files.createDirectories(files.clientConf());
    writeSites(files.clientConf(), site.core(), site.hdfs(), site.yarn());
    Files.writeString(files.clientConf().resolve("log4j-daemon.properties"), DAEMON_LOG);
    Files.writeString(files.topology(), topology());
    for (NodeInfo node : plan.all()) {
      Path conf = files.nodeConf(node.name());
      Files.createDirectories(conf);
      Files.createDirectories(files.nodeTmp(node.name()));
      writeSites(conf, site.coreOf(node), site.hdfsOf(node), site.yarnOf(node));
      Files.writeString(files.nodeHosts(node.name()), hosts(node));
    }
    if (plan.servers().secure()) {
      site.kerberos().write();
      writeSsl(files.clientConf());
      for (NodeInfo node : plan.all()) {
        writeSsl(files.nodeConf(node.name()));
      }
      Path conf = files.nodeConf(ClusterPlan.MASTER);
      writeXml(conf.resolve("kms-site.xml"), site.kerberos().kms());
      writeXml(conf.resolve("kms-acls.xml"), site.kerberos().kmsAcls());
    }
    for (NodeInfo node : plan.hintHosts()) {
      writeXml(files.nodeConf(node.name()).resolve("weir-site.xml"), site.weirOf(node));
    }
    for (NodeInfo master : plan.masters()) {
      writeXml(
          files.nodeConf(master.name()).resolve("capacity-scheduler.xml"),
          site.capacityScheduler());
    }
    Path master = files.nodeConf(ClusterPlan.MASTER);
    Files.writeString(master.resolve("zoo.cfg"), zookeeper());
  }

  private void writeSsl(Path conf) throws IOException {
    writeXml(conf.resolve("ssl-server.xml"), site.kerberos().sslServer());
    writeXml(conf.resolve("ssl-client.xml"), KerberosConfig.sslClient(plan));
  }

  /** The {@code /etc/hosts} that the node's processes see. */
  String hosts(NodeInfo self) {
    StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
    for (NodeInfo node : plan.all()) {
      text.append(node.address()).append(' ').append(node.name());
      // Loopback nodes share the machine's host name; each must resolve it to its own address.
      if (node.equals(self) && plan.hosts() == HostKind.LOOPBACK && !machineName.isEmpty()) {
        text.append(' ').append(machineName);
      }
      text.append('\n');
    }
    return text.append(plan.gateway()).append(" gateway\n").toString();
  }

  /** The racks by name and by address, because HDFS looks up one and YARN the other. */
  String topology() {
    return plan.all().stream()
        .map(node -> node.name() + " " + node.rack() + "\n" + node.address() + " " + node.rack())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private String zookeeper() {
    return """
        tickTime=1000
        dataDir=%s
        clientPortAddress=%s
        clientPort=%d
        maxClientCnxns=0
        admin.enableServer=false
        4lw.commands.whitelist=srvr
        """
        .formatted(
            plan.files().node(ClusterPlan.MASTER).resolve("zookeeper"),
            plan.master().address(),
            SiteProperties.ZOOKEEPER_PORT);
  }

  private static void writeSites(
      Path dir, Map<String, String> core, Map<String, String> hdfs, Map<String, String> yarn)
      throws IOException {
    writeXml(dir.resolve("core-site.xml"), core);
    writeXml(dir.resolve("hdfs-site.xml"), hdfs);
    writeXml(dir.resolve("yarn-site.xml"), yarn);
    Files.writeString(dir.resolve("log4j.properties"), CLIENT_LOG);
  }

  static void writeXml(Path file, Map<String, String> properties) throws IOException {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(properties)
        .forEach(
            (name, value) ->
                text.append("  <property><name>")
                    .append(escape(name))
                    .append("</name><value>")
                    .append(escape(value))
                    .append("</value></property>\n"));
    Files.writeString(file, text.append("</configuration>\n"), StandardCharsets.UTF_8);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

package dev.weir.it.run;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.weir.it.Distribution;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/**
 * A cluster of one node with Kerberos. The KDC is in this process. A NameNode, a DataNode with
 * SASL, a ResourceManager, a NodeManager and a hints service with its ZooKeeper have their own
 * processes. Its user is the user of the tests, because the NodeManager starts containers as
 * itself.
 */
final class KerberosCluster implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  /** The number of addresses on which the daemons listen. */
  private static final int ADDRESSES = 15;

  private static final String USER = System.getProperty("user.name");
  private static final String HDFS = "org.apache.hadoop.hdfs.server.";
  private static final String YARN = "org.apache.hadoop.yarn.server.";

  private final Distribution distribution = Distribution.built();
  private final Path dir;
  private final MiniKdc kdc;
  private final Map<String, Process> daemons = new LinkedHashMap<>();

  private KerberosCluster(Path dir) throws Exception {
    this.dir = dir;
    this.kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
  }

  /** Starts a cluster; if that fails, stops what was started. */
  static KerberosCluster start(Path dir) throws Exception {
    KerberosCluster cluster = new KerberosCluster(dir);
    try {
      cluster.start();
      return cluster;
    } catch (Exception | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  private void start() throws Exception {
    kdc.start();
    kdc.createPrincipal(
        keytab(), USER, USER + "/localhost", "HTTP/localhost", "weir/localhost", "yarn/localhost");
    getTicket();
    configure();
    Process format = daemon("format", HDFS + "namenode.NameNode", "-format", "-nonInteractive");
    if (!format.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
      throw new IOException("HDFS was not formatted: " + log("format"));
    }
    daemons.put("namenode", daemon("namenode", HDFS + "namenode.NameNode"));
    daemons.put("datanode", daemon("datanode", HDFS + "datanode.DataNode"));
    daemons.put("rm", daemon("rm", YARN + "resourcemanager.ResourceManager"));
    daemons.put("nm", daemon("nm", YARN + "nodemanager.NodeManager"));
    daemons.put(
        "hints",
        launch(
            "hints",
            List.of(
                distribution.weir().toString(),
                "server",
                "--embedded-zookeeper",
                Files.createDirectories(dir.resolve("zookeeper")).toString())));
    awaitLine("datanode", "Successfully sent block report");
    awaitLine("nm", "Registered with ResourceManager");
    awaitLine("hints", "Serving [");
  }

  private File keytab() {
    return dir.resolve("all.keytab").toFile();
  }

  /** Gets a ticket as {@code kinit} does. */
  private void getTicket() throws Exception {
    KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
    client.setKdcHost("localhost");
    client.setKdcTcpPort(kdc.getPort());
    client.setAllowUdp(false);
    client.init();
    client.storeTicket(client.requestTgt(USER + "@" + kdc.getRealm(), keytab()), ticket().toFile());
  }

  private Path ticket() {
    return dir.resolve("ticket");
  }

  private Path conf() {
    return dir.resolve("conf");
  }

  private void configure() throws IOException {
    Iterator<String> free = freeAddresses();
    String hintsService = free.next();
    Files.createDirectories(conf());
    for (String app : List.of("hdfs", "datanode")) {
      Files.createDirectories(dir.resolve("web/webapps").resolve(app));
    }
    site("core-site.xml", core(free, hintsService));
    site("hdfs-site.xml", hdfs(free));
    site("yarn-site.xml", yarn(free));
    site("weir-site.xml", weir(hintsService));
    site(
        "capacity-scheduler.xml",
        Map.of(
            "yarn.scheduler.capacity.root.queues", "default",
            "yarn.scheduler.capacity.root.default.capacity", "100",
            "yarn.scheduler.capacity.maximum-am-resource-percent", "1.0"));
    Files.writeString(
        conf().resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO, console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.target=System.err
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
        """);
  }

  /** Finds free addresses; the sockets are open at the same time, so that all are different. */
  private static Iterator<String> freeAddresses() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      addresses.add("localhost:" + socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return addresses.iterator();
  }

  private void site(String name, Map<String, String> settings) throws IOException {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(conf().resolve(name))) {
      site.writeXml(out);
    }
  }

  private Map<String, String> core(Iterator<String> free, String hintsService) {
    Map<String, String> core = new LinkedHashMap<>();
    core.put("fs.defaultFS", "hdfs://" + free.next());
    core.put("fs.hdfs.impl", "dev.weir.hdfs.WeirFileSystem");
    core.put("hadoop.tmp.dir", dir.resolve("data").toString());
    core.put("hadoop.security.authentication", "kerberos");
    core.put("hadoop.security.auth_to_local", "RULE:[2:$1]\nRULE:[1:$1]");
    core.put(
        "hadoop.user.group.static.mapping.overrides",
        "weir=supergroup;yarn=yarn;" + USER + "=supergroup");
    core.put("hadoop.proxyuser.weir.hosts", "*");
    core.put("hadoop.proxyuser.weir.users", "*");
    core.put("weir.zookeeper.quorum", free.next());
    core.put("weir.server.url", "http://" + hintsService);
    return core;
  }

  private Map<String, String> hdfs(Iterator<String> free) {
    Map<String, String> hdfs = new LinkedHashMap<>();
    for (String daemon : List.of("namenode", "datanode")) {
      principal(hdfs, "dfs." + daemon + ".kerberos.principal", USER + "/localhost");
      hdfs.put("dfs." + daemon + ".keytab.file", keytab().toString());
    }
    principal(hdfs, "dfs.web.authentication.kerberos.principal", "HTTP/localhost");
    hdfs.put("dfs.web.authentication.kerberos.keytab", keytab().toString());
    hdfs.put("dfs.block.access.token.enable", "true");
    hdfs.put("dfs.data.transfer.protection", "privacy");
    // Otherwise the DataNode's web pages would need certificates.
    hdfs.put("ignore.secure.ports.for.testing", "true");
    hdfs.put("dfs.replication", "1");
    hdfs.put(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.WeirBlockPlacementPolicy");
    hdfs.put("dfs.namenode.http-address", free.next());
    hdfs.put("dfs.datanode.address", free.next());
    hdfs.put("dfs.datanode.http.address", free.next());
    hdfs.put("dfs.datanode.ipc.address", free.next());
    hdfs.put("dfs.datanode.hostname", "localhost");
    return hdfs;
  }

  private Map<String, String> yarn(Iterator<String> free) {
    Map<String, String> yarn = new LinkedHashMap<>();
    for (String daemon : List.of("resourcemanager", "nodemanager")) {
      principal(yarn, "yarn." + daemon + ".principal", "yarn/localhost");
      yarn.put("yarn." + daemon + ".keytab", keytab().toString());
      yarn.put("yarn." + daemon + ".hostname", "localhost");
    }
    yarn.put("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    yarn.put("yarn.resourcemanager.address", free.next());
    yarn.put("yarn.resourcemanager.scheduler.address", free.next());
    yarn.put("yarn.resourcemanager.resource-tracker.address", free.next());
    yarn.put("yarn.resourcemanager.admin.address", free.next());
    yarn.put("yarn.resourcemanager.webapp.address", free.next());
    yarn.put("yarn.nodemanager.address", free.next());
    yarn.put("yarn.nodemanager.localizer.address", free.next());
    yarn.put("yarn.nodemanager.webapp.address", free.next());
    yarn.put("yarn.nodemanager.resource.memory-mb", "2048");
    yarn.put("yarn.scheduler.minimum-allocation-mb", "256");
    yarn.put("yarn.nodemanager.vmem-check-enabled", "false");
    yarn.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    yarn.put("yarn.nodemanager.local-dirs", dir.resolve("local").toString());
    yarn.put("yarn.nodemanager.log-dirs", dir.resolve("userlogs").toString());
    yarn.put(
        "yarn.nodemanager.env-whitelist", "JAVA_HOME,HADOOP_CONF_DIR,PATH,LANG,JAVA_TOOL_OPTIONS");
    yarn.put(
        "yarn.application.classpath", "$HADOOP_CONF_DIR," + jars("hadoop") + "," + jars("plugins"));
    return yarn;
  }

  private Map<String, String> weir(String hintsService) {
    Map<String, String> weir = new LinkedHashMap<>();
    weir.put("weir.server.http-address", hintsService);
    weir.put("weir.server.database.url", "jdbc:h2:" + dir.resolve("provenance"));
    weir.put("weir.server.http.allowed-with-kerberos", "true");
    principal(weir, "weir.server.kerberos.principal", "weir/localhost");
    weir.put("weir.server.kerberos.keytab", keytab().toString());
    principal(weir, "weir.server.spnego.principal", "HTTP/localhost");
    weir.put("weir.server.spnego.keytab", keytab().toString());
    return weir;
  }

  private void principal(Map<String, String> settings, String key, String name) {
    settings.put(key, name + "@" + kdc.getRealm());
  }

  private String jars(String folder) {
    return distribution.home().resolve(folder) + "/*";
  }

  private Process daemon(String name, String mainClass, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    for (String opened : List.of("lang", "util", "util.concurrent", "net", "io", "nio")) {
      command.add("--add-opens=java.base/java." + opened + "=ALL-UNNAMED");
    }
    command.add("-Djava.net.preferIPv4Stack=true");
    command.addAll(
        List.of(
            "-cp",
            String.join(
                File.pathSeparator,
                conf().toString(),
                jars("hadoop"),
                jars("plugins"),
                dir.resolve("web").toString())));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return launch(name, command);
  }

  private Process launch(String name, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(name + ".log").toFile());
    builder.environment().put("HADOOP_CONF_DIR", conf().toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JAVA_TOOL_OPTIONS", krb5());
    return builder.start();
  }

  private String krb5() {
    return "-Djava.security.krb5.conf=" + kdc.getKrb5conf();
  }

  private void awaitLine(String daemon, String text) {
    Process process = requireNonNull(daemons.get(daemon));
    await("'" + text + "' in the log of " + daemon)
        .atMost(DEADLINE)
        .until(() -> !process.isAlive() || log(daemon).contains(text));
    if (!process.isAlive()) {
      throw new AssertionError("The " + daemon + " has ended: see " + dir);
    }
  }

  /** The output of a daemon. */
  String log(String daemon) throws IOException {
    return Files.readString(dir.resolve(daemon + ".log"));
  }

  /** Runs {@code weir} with or without a ticket. */
  Shell.Ran weir(boolean ticket, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(distribution.weir().toString()));
    command.addAll(List.of(arguments));
    Path tickets = ticket ? ticket() : dir.resolve("none");
    return Shell.run(
        command,
        Map.of(
            "HADOOP_CONF_DIR",
            conf().toString(),
            "WEIR_OPTS",
            krb5(),
            "KRB5CCNAME",
            tickets.toString()),
        dir);
  }

  @Override
  public void close() throws IOException {
    for (Process daemon : daemons.values()) {
      Stream.concat(daemon.descendants(), Stream.of(daemon.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
    kdc.stop();
  }
}

package dev.weir.cluster.config;

import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.Commands;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The security of a cluster: Kerberos, privacy of calls and of data transfers, and web servers with
 * TLS only. Daemons of a kind have one principal on all nodes. All keys are in one keytab: the
 * cluster is for tests and demonstrations.
 */
public final class KerberosConfig {
  public static final String REALM = "EXAMPLE.COM";

  /** A user without special rights. */
  public static final String ORDINARY_USER = "alice";

  // Hadoop's clients bind to the host of their principal if it is an address of this machine. The
  // sockets of nodes are bound already, so the principals name a host without such an address.
  private static final String HDFS = "hdfs/" + ClusterPlan.MASTER;
  private static final String YARN = "yarn/" + ClusterPlan.MASTER;
  private static final String WEIR = "weir/" + ClusterPlan.MASTER;

  /** The port of the key management server. */
  public static final int KMS_HTTPS = 9600;

  private static final int KDC_PORT = 10_088;
  private static final int NAMENODE_HTTPS = 9871;
  private static final int RESOURCEMANAGER_HTTPS = 8090;
  private static final String NAME_RULES = "RULE:[2:$1]\nRULE:[1:$1]";
  private static final String PASSWORD = "local-cluster";

  private final ClusterPlan plan;
  private final String user;

  KerberosConfig(ClusterPlan plan, String user) {
    this.plan = plan;
    this.user = user;
  }

  /** The arguments of the key distribution centre: its directory, address, port and principals. */
  public static List<String> kdcArguments(ClusterPlan plan) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                plan.files().security().toString(),
                plan.master().address(),
                String.valueOf(KDC_PORT),
                System.getProperty("user.name") + "," + ORDINARY_USER,
                HDFS,
                YARN,
                WEIR,
                "HTTP/localhost"));
    for (NodeInfo node : plan.all()) {
      arguments.add("HTTP/" + node.name());
      arguments.add("HTTP/" + node.address());
    }
    return arguments;
  }

  /** The file that exists when keys and tickets do. */
  public static Path ready(ClusterPlan plan) {
    return plan.files().security().resolve("ready");
  }

  /** The configuration of Kerberos clients. */
  public static Path krb5(ClusterPlan plan) {
    return plan.files().security().resolve("krb5.conf");
  }

  /** The ticket cache of a user, as of {@code kinit}. */
  public static Path ticket(ClusterPlan plan, String user) {
    return plan.files().security().resolve(user + ".ticket");
  }

  public static Path keytab(ClusterPlan plan, String user) {
    return plan.files().security().resolve(user + ".keytab");
  }

  /** The Java option that Kerberos clients and servers need. */
  public static String javaOption(ClusterPlan plan) {
    return "-Djava.security.krb5.conf=" + krb5(plan);
  }

  Map<String, String> core() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("hadoop.security.authentication", "kerberos");
    conf.put("hadoop.security.auth_to_local", NAME_RULES);
    conf.put("hadoop.rpc.protection", "privacy");
    // These users have no accounts on this machine.
    conf.put(
        "hadoop.user.group.static.mapping.overrides",
        "hdfs=supergroup;weir=supergroup;yarn=yarn;"
            + ORDINARY_USER
            + "=users;"
            + user
            + "=supergroup");
    for (String proxy : List.of("weir", "yarn")) {
      conf.put("hadoop.proxyuser." + proxy + ".hosts", "*");
      conf.put("hadoop.proxyuser." + proxy + ".users", "*");
    }
    conf.put("hadoop.ssl.hostname.verifier", "ALLOW_ALL");
    conf.put(
        "hadoop.security.key.provider.path",
        "kms://https@" + plan.master().address() + ":" + KMS_HTTPS + "/kms");
    if (plan.servers().hintServices() > 0) {
      conf.put("weir.client.server.connect-timeout", "30s");
      conf.put(
          "weir.server.url",
          plan.hintHosts().stream()
              .map(node -> "https://" + node.address() + ":" + SiteProperties.HINTS_HTTP)
              .collect(Collectors.joining(",")));
    }
    return conf;
  }

  Map<String, String> hdfs() {
    Map<String, String> conf = new LinkedHashMap<>();
    for (String daemon : List.of("namenode", "datanode")) {
      conf.put("dfs." + daemon + ".kerberos.principal", principal(HDFS));
      conf.put("dfs." + daemon + ".keytab.file", keytab());
    }
    conf.put("dfs.web.authentication.kerberos.principal", "*");
    conf.put("dfs.web.authentication.kerberos.keytab", keytab());
    conf.put("dfs.block.access.token.enable", "true");
    conf.put("dfs.data.transfer.protection", "privacy");
    conf.put("dfs.http.policy", "HTTPS_ONLY");
    for (NodeInfo node : NameServiceConfig.nameNodes(plan)) {
      conf.put(
          "dfs.namenode.https-address" + NameServiceConfig.suffix(plan, node),
          node.address() + ":" + NAMENODE_HTTPS);
    }
    return conf;
  }

  Map<String, String> hdfsOf(NodeInfo node) {
    return Map.of("dfs.datanode.https.address", node.address() + ":" + httpsPort("datanode"));
  }

  Map<String, String> yarn() {
    Map<String, String> conf = new LinkedHashMap<>();
    for (String daemon : List.of("resourcemanager", "nodemanager")) {
      conf.put("yarn." + daemon + ".principal", principal(YARN));
      conf.put("yarn." + daemon + ".keytab", keytab());
    }
    conf.put("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    conf.put("yarn.http.policy", "HTTPS_ONLY");
    // Encryption slows the start of an ApplicationMaster where all nodes share few processors.
    conf.put("yarn.am.liveness-monitor.expiry-interval-ms", "120000");
    for (NodeInfo node : plan.masters()) {
      String suffix =
          plan.servers().standbyResourceManager() ? "." + SiteProperties.resourceManager(node) : "";
      conf.put(
          "yarn.resourcemanager.webapp.https.address" + suffix,
          node.address() + ":" + RESOURCEMANAGER_HTTPS);
    }
    return conf;
  }

  Map<String, String> yarnOf(NodeInfo node) {
    return Map.of(
        "yarn.nodemanager.webapp.https.address", node.name() + ":" + httpsPort("nodemanager"));
  }

  Map<String, String> weirOf(NodeInfo node) {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("weir.server.http.policy", "HTTPS_ONLY");
    conf.put("weir.server.https-address", node.address() + ":" + SiteProperties.HINTS_HTTP);
    conf.put("weir.server.kerberos.principal", principal(WEIR));
    conf.put("weir.server.kerberos.keytab", keytab());
    conf.put("weir.server.spnego.principal", "*");
    conf.put("weir.server.spnego.keytab", keytab());
    return conf;
  }

  Map<String, String> kms() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("hadoop.kms.http.host", plan.master().address());
    conf.put("hadoop.kms.http.port", String.valueOf(KMS_HTTPS));
    conf.put("hadoop.kms.ssl.enabled", "true");
    conf.put(
        "hadoop.kms.key.provider.uri",
        "jceks://file@" + plan.files().security().resolve("kms.keystore"));
    conf.put("hadoop.kms.authentication.type", "kerberos");
    conf.put("hadoop.kms.authentication.kerberos.principal", "*");
    conf.put("hadoop.kms.authentication.kerberos.keytab", keytab());
    conf.put("hadoop.kms.authentication.kerberos.name.rules", NAME_RULES);
    return conf;
  }

  /** All users may use all keys. */
  Map<String, String> kmsAcls() {
    Map<String, String> conf = new LinkedHashMap<>();
    for (String operation : List.of("MANAGEMENT", "GENERATE_EEK", "DECRYPT_EEK", "READ")) {
      conf.put("default.key.acl." + operation, "*");
    }
    return conf;
  }

  /** The port that serves JMX with TLS, by the kind of a daemon. */
  public static int httpsPort(String kind) {
    return switch (kind) {
      case "namenode" -> NAMENODE_HTTPS;
      case "resourcemanager" -> RESOURCEMANAGER_HTTPS;
      case "datanode" -> 9865;
      case "nodemanager" -> 8044;
      case "kms" -> KMS_HTTPS;
      default -> SiteProperties.HINTS_HTTP;
    };
  }

  Map<String, String> sslServer() {
    return Map.of(
        "ssl.server.keystore.location",
        keystore(plan).toString(),
        "ssl.server.keystore.password",
        PASSWORD,
        "ssl.server.keystore.keypassword",
        PASSWORD,
        "ssl.server.keystore.type",
        "PKCS12");
  }

  /**
   * The properties of TLS clients. The keystore is also the truststore: the certificate signs
   * itself.
   */
  static Map<String, String> sslClient(ClusterPlan plan) {
    return Map.of(
        "ssl.client.truststore.location",
        keystore(plan).toString(),
        "ssl.client.truststore.password",
        PASSWORD,
        "ssl.client.truststore.type",
        "PKCS12");
  }

  /** Writes the configuration of Kerberos clients, and makes the certificate of all web servers. */
  void write() throws IOException {
    Files.createDirectories(plan.files().security());
    // The programs that write keys and tickets use the umask.
    Files.setPosixFilePermissions(
        plan.files().security(), PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        krb5(plan),
        """
        [libdefaults]
            kdc_realm = %1$s
            default_realm = %1$s
            udp_preference_limit = 1
            kdc_tcp_port = %3$d

        [realms]
            %1$s = {
                kdc = %2$s:%3$d
            }
        """
            .formatted(REALM, plan.master().address(), KDC_PORT));
    makeCertificate();
  }

  private void makeCertificate() throws IOException {
    String names =
        plan.all().stream()
            .map(node -> "ip:" + node.address() + ",dns:" + node.name())
            .collect(Collectors.joining(","));
    Commands.run(
        HadoopJars.ownJava() + "/bin/keytool",
        "-genkeypair",
        "-alias",
        "weir",
        "-keyalg",
        "RSA",
        "-validity",
        "3650",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost," + names,
        "-storetype",
        "PKCS12",
        "-keystore",
        keystore(plan).toString(),
        "-storepass",
        PASSWORD);
  }

  private static Path keystore(ClusterPlan plan) {
    return plan.files().security().resolve("keystore.p12");
  }

  private String keytab() {
    return plan.files().security().resolve("daemons.keytab").toString();
  }

  public static String principal(String name) {
    return name + "@" + REALM;
  }
}

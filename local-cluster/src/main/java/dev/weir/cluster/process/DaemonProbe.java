package dev.weir.cluster.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.config.SiteProperties;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Asks daemons for their state. */
public final class DaemonProbe {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ClusterPlan plan;

  public DaemonProbe(ClusterPlan plan) {
    this.plan = plan;
  }

  /**
   * Reads JMX beans of a daemon.
   *
   * @param query an ObjectName pattern
   * @return the array of the beans
   */
  public JsonNode jmx(Daemon daemon, String query) throws IOException {
    if (daemon.kind().httpPort() == 0) {
      throw new ClusterException(
          "The "
              + daemon.name()
              + " serves no JMX: ask the namenode, the resourcemanager or a node");
    }
    return get(daemon, "/jmx?qry=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
        .path("beans");
  }

  private JsonNode get(Daemon daemon, String request) throws IOException {
    String address = plan.require(daemon.node()).address();
    boolean secure = plan.servers().secure();
    String kind = daemon.kind().name().toLowerCase(Locale.ROOT);
    String url =
        (secure ? "https://%s:%d%s" : "http://%s:%d%s")
            .formatted(
                address,
                secure ? KerberosConfig.httpsPort(kind) : daemon.kind().httpPort(),
                request);
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection https) {
      https.setSSLSocketFactory(trusting().getSocketFactory());
      https.setHostnameVerifier((host, session) -> true);
    }
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream body = connection.getInputStream()) {
      return MAPPER.readTree(body);
    } finally {
      connection.disconnect();
    }
  }

  /** Trusts any certificate: the server is a process of this machine. */
  private static SSLContext trusting() throws IOException {
    X509TrustManager all =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {all}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("This Java has no TLS", e);
    }
  }

  /** The number of DataNodes that a NameNode considers alive; 0 if it does not answer. */
  public int liveDataNodes(Daemon nameNode) {
    return number(nameNode, "Hadoop:service=NameNode,name=FSNamesystemState", "NumLiveDataNodes");
  }

  /** The NameNode that serves clients, if there is one. */
  public Optional<Daemon> activeNameNode() {
    return Daemon.nameNodes(plan).stream()
        .filter(nameNode -> state(nameNode).equals("active"))
        .findFirst();
  }

  private String state(Daemon nameNode) {
    return bean(nameNode, "Hadoop:service=NameNode,name=NameNodeStatus").path("State").asText();
  }

  /**
   * The number of NodeManagers that the active ResourceManager considers alive; 0 if none answers.
   */
  public int activeNodeManagers() {
    return Daemon.of(plan).stream()
        .filter(daemon -> daemon.kind() == DaemonKind.RESOURCEMANAGER)
        .mapToInt(
            daemon ->
                number(
                    daemon, "Hadoop:service=ResourceManager,name=ClusterMetrics", "NumActiveNMs"))
        .max()
        .orElse(0);
  }

  /** Returns whether a daemon provides its service. */
  public boolean isServing(Daemon daemon) {
    return switch (daemon.kind()) {
      case KDC -> Files.exists(KerberosConfig.ready(plan));
      case ZOOKEEPER -> isZooKeeperServing();
      case NAMENODE, RESOURCEMANAGER -> !bean(daemon, "java.lang:type=Runtime").isMissingNode();
      case KMS -> refusesWithoutTicket(daemon, "/kms/v1/keys/names");
      case HINTS -> hasStore(daemon);
      case NODE -> hasRegisteredDataNode(daemon) && hasNodeManager(daemon);
      case DATANODE -> hasRegisteredDataNode(daemon);
      case NODEMANAGER -> hasNodeManager(daemon);
    };
  }

  /** Returns whether the hints service answers and has reached ZooKeeper. */
  private boolean hasStore(Daemon hints) {
    try {
      return plan.servers().secure()
          ? refusesWithoutTicket(hints, "/v1/status")
          : get(hints, "/v1/status").path("store").path("connected").asBoolean(true);
    } catch (IOException e) {
      return false;
    }
  }

  /** Java reports the status 401 as an error whose message has it. */
  private boolean refusesWithoutTicket(Daemon daemon, String request) {
    try {
      JsonNode unused = get(daemon, request);
      return true;
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains("401");
    }
  }

  /** Returns whether the DataNode of a process considers itself registered. */
  private boolean hasRegisteredDataNode(Daemon node) {
    return bean(node, "Hadoop:service=DataNode,name=DataNodeInfo")
        .path("BPServiceActorInfo")
        .asText()
        .contains("RUNNING");
  }

  /** Returns whether the NodeManager of a process is up, which is when it registers. */
  private boolean hasNodeManager(Daemon node) {
    return !bean(node, "Hadoop:service=NodeManager,name=NodeManagerMetrics").isMissingNode();
  }

  /** Returns whether ZooKeeper serves requests. */
  private boolean isZooKeeperServing() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(plan.master().address(), SiteProperties.ZOOKEEPER_PORT),
          TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.startsWith("Zookeeper version");
    } catch (IOException e) {
      return false;
    }
  }

  private int number(Daemon daemon, String bean, String attribute) {
    return bean(daemon, bean).path(attribute).asInt(0);
  }

  /** Reads a JMX bean; a missing node if the daemon does not answer or has none. */
  private JsonNode bean(Daemon daemon, String name) {
    try {
      return jmx(daemon, name).path(0);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }
}

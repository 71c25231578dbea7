package dev.weir.service.access;

import dev.weir.hints.store.WatcherInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the active NameNode among the watchers of the hints. A single NameNode is always active. Of
 * several, each call asks for the current state, because a failover may have happened a second ago.
 */
public final class ActiveNameNode implements Supplier<Predicate<WatcherInfo>> {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveNameNode.class);
  private static final int MAX_TIMEOUT_MILLIS = 2000;

  private final Configuration configuration;
  private final int timeoutMillis;
  private volatile Optional<InetSocketAddress> last = Optional.empty();

  /** Asks the NameNodes of the default file system. */
  public ActiveNameNode(Configuration configuration, CallerSettings settings) {
    this.configuration = new Configuration(configuration);
    this.timeoutMillis =
        Math.toIntExact(Math.min(settings.timeout().toMillis(), MAX_TIMEOUT_MILLIS));
    this.configuration.setInt("ipc.client.connect.timeout", timeoutMillis);
    this.configuration.setInt("ipc.client.connect.max.retries", 0);
    this.configuration.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    this.configuration.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        configuration.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
  }

  /**
   * Returns a predicate that tells whether a watcher is the active NameNode. It is false for all
   * watchers if no NameNode answers.
   */
  @Override
  public Predicate<WatcherInfo> get() {
    List<InetSocketAddress> nameNodes = nameNodes();
    if (nameNodes.size() < 2) {
      return watcher -> true;
    }
    nameNodes.sort(Comparator.comparing(address -> !last.equals(Optional.of(address))));
    for (InetSocketAddress nameNode : nameNodes) {
      if (isActive(nameNode)) {
        last = Optional.of(nameNode);
        Set<String> names = names(nameNode);
        return watcher -> isReportedAs(watcher.host(), names, nameNode.getPort());
      }
    }
    return watcher -> false;
  }

  private List<InetSocketAddress> nameNodes() {
    String nameService = FileSystem.getDefaultUri(configuration).getAuthority();
    Map<String, InetSocketAddress> addresses =
        DFSUtilClient.getHaNnRpcAddresses(configuration)
            .getOrDefault(nameService == null ? "" : nameService, Map.of());
    return new ArrayList<>(addresses.values());
  }

  private boolean isActive(InetSocketAddress nameNode) {
    try (HAServiceProtocolClientSideTranslatorPB service =
        new HAServiceProtocolClientSideTranslatorPB(
            nameNode,
            configuration,
            NetUtils.getDefaultSocketFactory(configuration),
            timeoutMillis)) {
      return service.getServiceStatus().getState() == HAServiceState.ACTIVE;
    } catch (IOException e) {
      LOG.debug("{} does not say whether it is active", nameNode, e);
      return false;
    }
  }

  /**
   * Returns whether a NameNode reports itself by this name.
   *
   * @param self {@code host:port}, because two NameNodes may share a host
   * @param names the possible names of the host, in lower case
   */
  static boolean isReportedAs(String self, Set<String> names, int port) {
    String reported = self.toLowerCase(Locale.ROOT);
    String suffix = ":" + port;
    return reported.endsWith(suffix)
        && names.contains(reported.substring(0, reported.length() - suffix.length()));
  }

  private static Set<String> names(InetSocketAddress nameNode) {
    Set<String> names = new TreeSet<>();
    names.add(nameNode.getHostString().toLowerCase(Locale.ROOT));
    InetAddress address = nameNode.getAddress();
    if (address != null) {
      names.add(address.getHostAddress());
      names.add(address.getHostName().toLowerCase(Locale.ROOT));
      names.add(address.getCanonicalHostName().toLowerCase(Locale.ROOT));
    }
    return names;
  }
}

package dev.weir.service;

import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.ProxyUserFileSystems;
import java.io.IOException;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.functional.BiFunctionRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * The external systems of the service: hints, file systems and the clock. The server closes what it
 * opens.
 *
 * @param store opens the hints store
 * @param callers opens the file systems
 * @param elections opens the leader election of a name, which begins with a slash
 * @param clock the time by which sets expire
 */
public record Backends(
    FunctionRaisingIOE<Configuration, ? extends HintStore> store,
    FunctionRaisingIOE<Configuration, ? extends CallerFileSystems> callers,
    BiFunctionRaisingIOE<Configuration, String, LeaderElection> elections,
    Clock clock) {
  /** The role in which the service watches the hints. */
  public static final String ROLE = "service";

  /** Uses ZooKeeper, HDFS and the machine's clock. */
  public static Backends real() {
    return new Backends(
        Backends::openStore,
        configuration ->
            new ProxyUserFileSystems(configuration, CallerSettings.from(configuration)),
        (configuration, name) ->
            new ZooKeeperLeaderElection(HintSettings.from(configuration), name),
        Clock.systemUTC());
  }

  private static HintStore openStore(Configuration configuration) throws IOException {
    HintSettings settings = HintSettings.from(configuration);
    if (!settings.isEnabled()) {
      throw new IOException(
          HintSettings.QUORUM_KEY
              + " is not set; write the ZooKeeper servers there, or start one inside the service"
              + " with --embedded-zookeeper");
    }
    if (!settings.access().isOpen() && settings.access().auth().isEmpty()) {
      throw new IOException(
          StoreAccess.AUTH_KEY
              + " has no credentials of this service, so NameNodes would not follow its hints;"
              + " write @FILE there, with USER:PASSWORD in the file, or sasl. If all who reach"
              + " ZooKeeper may write hints, set "
              + StoreAccess.OPEN_KEY
              + " to true on all hosts");
    }
    return ZooKeeperHintStore.open(settings, ROLE, NetUtils.getLocalHostname());
  }
}

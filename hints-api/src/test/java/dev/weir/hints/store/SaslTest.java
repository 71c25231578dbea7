package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** SASL with a real ZooKeeper: clients that log in by JAAS may write, others only read. */
@Isolated("JAAS and ZooKeeper's providers are one for a whole JVM")
class SaslTest {
  private static final String PROVIDER = "zookeeper.authProvider.sasl";
  private static final Duration LONG = Duration.ofSeconds(30);

  /** Configures a server with one user, and clients that log in as that user or not at all. */
  private static final class Jaas extends Configuration {
    private volatile boolean clientsLogIn;

    @Override
    public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String section) {
      if (section.equals("Server")) {
        return module(Map.of("user_weir", "secret"));
      }
      return clientsLogIn && section.equals("Client")
          ? module(Map.of("username", "weir", "password", "secret"))
          : null;
    }

    private static AppConfigurationEntry[] module(Map<String, String> options) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            DigestLoginModule.class.getName(), LoginModuleControlFlag.REQUIRED, options)
      };
    }
  }

  private final Jaas jaas = new Jaas();
  private TestingServer server;

  @BeforeEach
  void startServer() throws Exception {
    System.setProperty(PROVIDER, SASLAuthenticationProvider.class.getName());
    ProviderRegistry.reset();
    Configuration.setConfiguration(jaas);
    server = new TestingServer(true);
  }

  @AfterEach
  void restoreJaas() throws Exception {
    server.close();
    Configuration.setConfiguration(null);
    System.clearProperty(PROVIDER);
    ProviderRegistry.reset();
  }

  @Test
  void onlyLoggedInClientsWrite() throws Exception {
    StoreAccess access = new StoreAccess(StoreAccess.SASL, false, Set.of("sasl:weir"));
    HintSettings settings = new HintSettings(server.getConnectString(), "/weir", "", access);
    HintSettings anonymous =
        new HintSettings(
            server.getConnectString(), "/weir", "", StoreAccess.following(Set.of("sasl:weir")));
    try (HintStore nameNode = ZooKeeperHintStore.open(anonymous, "namenode");
        CuratorFramework stranger =
            CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
      stranger.start();
      assertThat(nameNode.awaitLoaded(LONG)).isTrue();
      assertThat(stranger.checkExists().forPath("/")).isNotNull();
      jaas.clientsLogIn = true;
      try (HintStore service = ZooKeeperHintStore.open(settings, "service")) {
        assertThat(service.awaitLoaded(LONG)).isTrue();
        long version = service.put(set());
        assertThat(service.awaitApplied(version, "namenode", LONG)).isTrue();
      }

      assertThat(nameNode.snapshot().lookup("/a")).isPresent();
      assertThatThrownBy(() -> nameNode.put(set())).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> nameNode.remove("a")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> stranger.delete().forPath("/weir/sets/a"))
          .isInstanceOf(NoAuthException.class);
      assertThatThrownBy(() -> stranger.create().forPath("/weir/reconciler"))
          .isInstanceOf(NoAuthException.class);
      assertThat(stranger.getACL().forPath("/weir/sets/a"))
          .as("restricted to the SASL user")
          .anyMatch(acl -> acl.getId().equals(new Id("sasl", "weir")));
    }
  }

  private static HintSet set() {
    return new HintSet(
        "a", "alice", null, List.of(new Rule(PathPattern.literal("/a"), HintPresets.pipeline())));
  }
}

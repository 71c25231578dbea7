package dev.weir.hints.store;

import dev.weir.hints.HintSettings;
import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Curator clients for what the service keeps in ZooKeeper besides the hints: they say who they are
 * as the settings have it, and what they write below the root is closed where sets are.
 */
public final class ZooKeeperClients {
  private static final int SHUTDOWN_MILLIS = 1000;

  private ZooKeeperClients() {}

  /** A client of the quorum; how long it waits is left to the caller. Does not connect. */
  public static CuratorFrameworkFactory.Builder builder(HintSettings settings) {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.quorum())
            .ensembleTracker(false)
            .waitForShutdownTimeoutMs(SHUTDOWN_MILLIS);
    new StoreAclProvider(settings.access(), settings.root()).introduce(builder);
    return builder;
  }
}

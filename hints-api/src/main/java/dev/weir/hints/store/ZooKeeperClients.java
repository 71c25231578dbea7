package dev.weir.hints.store;

import dev.weir.hints.HintSettings;
import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Creates Curator clients for data of the service other than hints. They authenticate by the
 * settings, and restrict write access below the root as for hint sets.
 */
public final class ZooKeeperClients {
  private static final int SHUTDOWN_MILLIS = 1000;

  private ZooKeeperClients() {}

  /** A builder for a client of the quorum, without a retry policy. Does not connect. */
  public static CuratorFrameworkFactory.Builder builder(HintSettings settings) {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.quorum())
            .ensembleTracker(false)
            .waitForShutdownTimeoutMs(SHUTDOWN_MILLIS);
    new StoreAclProvider(settings.access(), settings.root()).authenticate(builder);
    return builder;
  }
}

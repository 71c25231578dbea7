package dev.weir.service;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.HintSettings;
import dev.weir.hints.store.ZooKeeperClients;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An election by a Curator latch below the root. The leadership ends when the connection is
 * suspended. The instance rejoins when the connection is back, with a new session if necessary.
 */
final class ZooKeeperLeaderElection implements LeaderElection {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLeaderElection.class);
  private static final int SESSION_MILLIS = 15_000;
  private static final int CONNECT_MILLIS = 5_000;
  private static final int REFRESH_SECONDS = 2;

  private final CuratorFramework client;
  private final String path;
  private final ScheduledExecutorService executor;
  private volatile String leader = "";
  private @Nullable LeaderLatch latch;

  /**
   * Creates an election that has not begun.
   *
   * @param name of the latch below the root, with a slash
   */
  ZooKeeperLeaderElection(HintSettings settings, String name) {
    this.path = settings.root() + name;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.numbered("leader-"));
    this.client =
        ZooKeeperClients.builder(settings)
            .sessionTimeoutMs(SESSION_MILLIS)
            .connectionTimeoutMs(CONNECT_MILLIS)
            .retryPolicy(new BoundedExponentialBackoffRetry(500, 5000, 5))
            .threadFactory(DaemonThreadFactory.numbered("leader-zookeeper-"))
            .build();
  }

  @Override
  public synchronized void start(String self, Listener listener) throws IOException {
    LeaderLatch joined = new LeaderLatch(client, path, self);
    joined.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            listener.won();
          }

          @Override
          public void notLeader() {
            listener.lost();
          }
        },
        executor);
    latch = joined;
    client.start();
    try {
      joined.start();
    } catch (Exception e) {
      throw new IOException("cannot join the election below " + path, e);
    }
    Future<?> unused =
        executor.scheduleWithFixedDelay(this::refresh, 0, REFRESH_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public boolean isLeader() {
    LeaderLatch current = latch();
    return current != null && current.hasLeadership();
  }

  @Override
  public String leader() {
    return leader;
  }

  @Override
  public synchronized void close() {
    executor.shutdownNow();
    LeaderLatch current = latch;
    latch = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The latch did not close", e);
      }
      client.close();
    }
  }

  private synchronized @Nullable LeaderLatch latch() {
    return latch;
  }

  private void refresh() {
    LeaderLatch current = latch();
    try {
      boolean connected = client.getZookeeperClient().isConnected();
      leader = connected && current != null ? current.getLeader().getId() : "";
    } catch (Exception e) {
      leader = "";
      LOG.debug("The leader is not known now", e);
    }
  }
}

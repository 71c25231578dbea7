package dev.weir.hints.store;

import dev.weir.hints.LogLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connected Curator client while ZooKeeper is reachable, and none while it is not: a
 * client without a connection would log every second of an outage. So a plain TCP connection is
 * tried before each client. All work runs on the executor's single thread; no other thread blocks.
 */
final class ZooKeeperConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperConnection.class);

  private final String quorum;
  private final StoreAclProvider aclProvider;
  private final ZooKeeperTiming timing;
  private final ScheduledExecutorService executor;
  private final ThreadFactory threads;
  private final Consumer<CuratorFramework> onConnected;
  private final Clock clock;
  private final LogLimit logLimit = LogLimit.oncePerMinute();
  private final Object monitor = new Object();
  private @Nullable CuratorFramework connected;
  private boolean closed;
  private volatile boolean up;
  private volatile Instant lastConnected;

  /** Failed attempts since the last success. Used by the executor's thread only. */
  private int failures;

  /**
   * @param executor has one thread
   * @param threads creates Curator's threads
   * @param onConnected called on the executor with each new client
   * @param aclProvider authenticates the client
   */
  ZooKeeperConnection(
      String quorum,
      StoreAclProvider aclProvider,
      ZooKeeperTiming timing,
      ScheduledExecutorService executor,
      ThreadFactory threads,
      Consumer<CuratorFramework> onConnected,
      Clock clock) {
    this.clock = clock;
    this.lastConnected = clock.instant();
    this.quorum = quorum;
    this.aclProvider = aclProvider;
    this.timing = timing;
    this.executor = executor;
    this.threads = threads;
    this.onConnected = onConnected;
  }

  void start() {
    executor.execute(this::attempt);
  }

  /** The connected client, null if there is none; never blocks. */
  @Nullable CuratorFramework current() {
    synchronized (monitor) {
      return connected;
    }
  }

  /** Whether the connection is up; never blocks. */
  boolean isConnected() {
    return up;
  }

  /** When the connection was last up; the time of creation if it never was. */
  Instant lastConnected() {
    return up ? clock.instant() : lastConnected;
  }

  private void connectionChanged(boolean connectedNow) {
    if (up && !connectedNow) {
      lastConnected = clock.instant();
    }
    up = connectedNow;
  }

  /**
   * The connected client. Waits at most for two attempts to connect.
   *
   * @throws StoreUnavailableException if there is none by then
   */
  CuratorFramework client(Duration timeout) throws StoreUnavailableException, InterruptedException {
    Duration max = timing.connect().multipliedBy(2);
    Duration wait = timeout.compareTo(max) < 0 ? timeout : max;
    long deadline = System.nanoTime() + wait.toNanos();
    synchronized (monitor) {
      while (connected == null) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (closed) {
          throw new StoreUnavailableException("the hint store is closed", null);
        }
        if (left <= 0) {
          throw new StoreUnavailableException(
              "no ZooKeeper session with " + quorum + "; start it or correct weir.zookeeper.quorum",
              null);
        }
        monitor.wait(left);
      }
      return connected;
    }
  }

  void close() {
    CuratorFramework client;
    synchronized (monitor) {
      closed = true;
      client = connected;
      connected = null;
      monitor.notifyAll();
    }
    if (client != null) {
      client.close();
    }
  }

  private void attempt() {
    if (!isReachable()) {
      retry("no server accepts a connection", timing.lastRetry());
      return;
    }
    CuratorFramework client = null;
    try {
      client = newClient();
      client.start();
      int millis = Math.toIntExact(timing.connect().toMillis());
      if (client.blockUntilConnected(millis, TimeUnit.MILLISECONDS)) {
        failures = 0;
        accept(client);
        return;
      }
      client.close();
      retry("no server opens a session within " + timing.connect(), timing.hungRetry());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      client.close();
    } catch (RuntimeException e) {
      if (client != null) {
        client.close();
      }
      retry(e.toString(), timing.hungRetry());
    }
  }

  private CuratorFramework newClient() {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(quorum)
            .ensembleTracker(false)
            .sessionTimeoutMs(Math.toIntExact(timing.session().toMillis()))
            .connectionTimeoutMs(Math.toIntExact(timing.connect().toMillis()))
            .waitForShutdownTimeoutMs(1000)
            .retryPolicy(new RetryNTimes(2, 200))
            .threadFactory(threads);
    aclProvider.authenticate(builder);
    CuratorFramework client = builder.build();
    client
        .getConnectionStateListenable()
        .addListener(
            (lost, state) -> {
              connectionChanged(state.isConnected());
              if (state == ConnectionState.LOST) {
                schedule(() -> drop(lost), Duration.ZERO);
              }
            });
    return client;
  }

  private void accept(CuratorFramework client) {
    synchronized (monitor) {
      if (closed) {
        client.close();
        return;
      }
      connected = client;
      monitor.notifyAll();
    }
    LOG.info("Reading hints from ZooKeeper at {}", quorum);
    onConnected.accept(client);
  }

  private void drop(CuratorFramework lost) {
    synchronized (monitor) {
      if (connected != lost) {
        return;
      }
      connected = null;
    }
    lost.close();
    retry("the session was lost", timing.lastRetry());
  }

  private void retry(String why, Duration longest) {
    failures++;
    long factor = 1L << Math.min(failures - 1, 16);
    Duration pause = timing.firstRetry().multipliedBy(factor);
    if (pause.compareTo(longest) > 0) {
      pause = longest;
    }
    if (logLimit.permits()) {
      LOG.warn(
          "Cannot use ZooKeeper at {}: {}. Files follow the latest known hints, or are stock"
              + " if there are none; retrying in the background",
          quorum,
          why);
    }
    schedule(this::attempt, pause);
  }

  private void schedule(Runnable task, Duration pause) {
    try {
      Future<?> unused = executor.schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The hint store was closed", e);
    }
  }

  private boolean isReachable() {
    try {
      for (InetSocketAddress server : new ConnectStringParser(quorum).getServerAddresses()) {
        if (accepts(new InetSocketAddress(server.getHostString(), server.getPort()))) {
          return true;
        }
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("Cannot parse the quorum {}", quorum, e);
    }
    return false;
  }

  private boolean accepts(InetSocketAddress server) {
    try (Socket socket = new Socket()) {
      socket.connect(server, Math.toIntExact(timing.probe().toMillis()));
      return true;
    } catch (IOException e) {
      LOG.debug("{} does not accept a connection", server, e);
      return false;
    }
  }
}

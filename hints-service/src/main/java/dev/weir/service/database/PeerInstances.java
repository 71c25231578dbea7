package dev.weir.service.database;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.store.WatcherInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects whether other instances of the service are running, by the watchers in the hints store. A
 * separate thread polls the store, so that an unavailable store delays no call. Thread-safe.
 */
public final class PeerInstances implements Supplier<Optional<String>>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerInstances.class);

  /** The time between two calls to the store. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

  private final CallableRaisingIOE<List<WatcherInfo>> watchers;
  private final Self self;
  private final ScheduledExecutorService poller =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.numbered("peers-"));
  private volatile Optional<String> peer = Optional.empty();

  /**
   * This instance.
   *
   * @param role the role in which instances watch the hints
   */
  public record Self(String role, String host, long process) {}

  /**
   * Creates an instance that knows no other.
   *
   * @param watchers returns all watchers that the store knows; may block
   */
  public PeerInstances(CallableRaisingIOE<List<WatcherInfo>> watchers, Self self) {
    this.watchers = watchers;
    this.self = self;
  }

  /** Starts to poll the store. */
  public void start() {
    ScheduledFuture<?> unused =
        poller.scheduleWithFixedDelay(
            this::refresh, 0, POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns another instance, as of the last answer; empty if there was none. */
  @Override
  public Optional<String> get() {
    return peer;
  }

  /** Reads the watchers. While the store is unavailable, the last answer stays valid. */
  void refresh() {
    try {
      peer =
          watchers.apply().stream()
              .filter(this::isOther)
              .findFirst()
              .map(other -> other.host() + ", process " + other.process());
    } catch (IOException | RuntimeException e) {
      LOG.debug("Whether other instances are running is not known now", e);
    }
  }

  /**
   * Returns whether a watcher is another live instance. A killed instance stays in the store for a
   * while; on this host its process can be checked.
   */
  private boolean isOther(WatcherInfo watcher) {
    if (!watcher.role().equals(self.role())
        || (watcher.process() == self.process() && watcher.host().equals(self.host()))) {
      return false;
    }
    return !watcher.host().equals(self.host())
        || ProcessHandle.of(watcher.process()).map(ProcessHandle::isAlive).orElse(false);
  }

  @Override
  public void close() {
    poller.shutdownNow();
  }
}

package dev.weir.service.database;

import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.part.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether other instances of the service run besides this one, as the hints' store has it. The
 * store is asked from a thread of its own every few seconds: one that is away keeps no call
 * waiting. For any thread.
 */
public final class PeerInstances implements Supplier<Optional<String>>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerInstances.class);

  /** Between two questions to the store. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Watchers watchers;
  private final Self self;
  private final ScheduledExecutorService asker =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("company-"));
  private volatile Optional<String> known = Optional.empty();

  /** Who watches the hints. */
  @FunctionalInterface
  public interface Watchers {
    /**
     * All that the store knows of; may wait.
     *
     * @throws IOException when the store is away
     */
    List<WatcherInfo> now() throws IOException;
  }

  /**
   * This instance.
   *
   * @param role in which instances watch the hints
   * @param host the name of its host
   * @param process the id of its process
   */
  public record Self(String role, String host, long process) {}

  public PeerInstances(Watchers watchers, Self self) {
    this.watchers = watchers;
    this.self = self;
  }

  /** Begins to ask. */
  public void start() {
    ScheduledFuture<?> unused =
        asker.scheduleWithFixedDelay(this::ask, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Another instance, as the store had it a moment ago; empty when it has named none. */
  @Override
  public Optional<String> get() {
    return known;
  }

  /** Asks the store; while it is away, what it said last counts on. */
  void ask() {
    try {
      known =
          watchers.now().stream()
              .filter(this::isOther)
              .findFirst()
              .map(other -> other.host() + ", process " + other.process());
    } catch (IOException | RuntimeException e) {
      LOG.debug("Whether there are other instances is not known now", e);
    }
  }

  /** One that was killed is still in the store for a while; on this host that can be told. */
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
    asker.shutdownNow();
  }
}

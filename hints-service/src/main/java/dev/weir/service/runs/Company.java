package dev.weir.service.runs;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether other instances of the service run besides this one, as the hints' store has it. */
final class Company implements Supplier<Optional<String>> {
  private static final Logger LOG = LoggerFactory.getLogger(Company.class);

  /** For so long an answer is used again. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final HintStore store;
  private final Self self;
  private final Clock clock;
  private Optional<String> known = Optional.empty();
  private Instant asked = Instant.EPOCH;

  /**
   * This instance.
   *
   * @param role in which instances watch the hints
   * @param host the name of its host
   * @param process the id of its process
   */
  record Self(String role, String host, long process) {}

  Company(HintStore store, Self self, Clock clock) {
    this.store = store;
    this.self = self;
    this.clock = clock;
  }

  @Override
  public synchronized Optional<String> get() {
    Instant now = clock.instant();
    if (Duration.between(asked, now).compareTo(FRESH) > 0) {
      asked = now;
      try {
        known =
            store.watchers().stream()
                .filter(this::isOther)
                .findFirst()
                .map(other -> other.host() + ", process " + other.process());
      } catch (IOException e) {
        LOG.debug("Whether there are other instances is not known now", e);
      }
    }
    return known;
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
}

package dev.weir.service.rest;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreUnavailableException;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.VersionConflictException;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.HintAttributes;
import dev.weir.service.part.LeaderTask;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired sets from ZooKeeper. Their rules have no effect from the expiry on anyway. */
public final class ExpiredSetCleaner implements LeaderTask {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredSetCleaner.class);

  private final HintStore store;
  private final HintAttributes attributes;
  private final String self;
  private final Duration interval;
  private final Clock clock;

  /**
   * Creates a cleaner.
   *
   * @param self the service's own user
   * @param interval the time between two rounds
   */
  public ExpiredSetCleaner(
      HintStore store, HintAttributes attributes, String self, Duration interval, Clock clock) {
    this.store = store;
    this.attributes = attributes;
    this.self = self;
    this.interval = interval;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "expiry";
  }

  @Override
  public void lead(BooleanSupplier leading) throws IOException, InterruptedException {
    while (leading.getAsBoolean()) {
      removeExpired(leading);
      Thread.sleep(interval.toMillis());
    }
  }

  /** Runs one round over all sets. */
  void removeExpired(BooleanSupplier leading) throws IOException {
    HintIndex index = store.snapshot();
    for (String id : store.ids()) {
      if (!leading.getAsBoolean()) {
        return;
      }
      // An index omits expired sets and may lack the newest ones, so the store is read.
      Optional<StoredSet> stored =
          index.set(id).filter(set -> !isExpired(set.expires())).isPresent()
              ? Optional.empty()
              : store.find(id).filter(found -> isExpired(found.set().expires()));
      if (stored.isPresent()) {
        remove(stored.get());
      }
    }
  }

  private boolean isExpired(@Nullable Instant expires) {
    return expires != null && !clock.instant().isBefore(expires);
  }

  private void remove(StoredSet stored) throws IOException {
    HintSet set = stored.set();
    try {
      removeAttribute(set);
      if (store.remove(set.id(), stored.version())) {
        LOG.info("Hint set {} of {} expired at {}", set.id(), set.owner(), set.expires());
      }
    } catch (VersionConflictException e) {
      LOG.debug("Hint set {} was extended meanwhile", set.id());
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // A set that cannot be removed must not prevent the removal of others.
      LOG.warn("Expired hint set {} was not removed: {}", set.id(), e.toString());
    }
  }

  /** Removes the attribute of a path's own hint, which would otherwise restore the set. */
  private void removeAttribute(HintSet set) throws IOException {
    if (set.rules().size() != 1) {
      return;
    }
    Rule rule = set.rules().get(0);
    String path = rule.pattern().literalPrefix();
    String authority = rule.pattern().authority().orElse(CallerFileSystems.DEFAULT);
    if (SinglePathSets.idFor(path).equals(set.id())) {
      Optional<String> attribute = attribute(authority, path);
      if (attribute.isPresent() && attribute.get().equals(HintText.format(rule.hint()))) {
        attributes.remove(self, authority, path);
      }
    }
  }

  private Optional<String> attribute(String authority, String path) throws IOException {
    try {
      return attributes.get(self, authority, path);
    } catch (ProblemException e) {
      LOG.debug("{} is a path of no configured file system, and carries no hint", path, e);
      return Optional.empty();
    }
  }
}

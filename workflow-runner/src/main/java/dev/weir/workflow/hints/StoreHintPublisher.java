package dev.weir.workflow.hints;

import dev.weir.hints.HintSet;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes hints in the store directly, for clusters without a hints service. */
final class StoreHintPublisher implements HintPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(StoreHintPublisher.class);
  private static final Duration LIFE = Duration.ofDays(7);

  private final HintStore store;

  /** Creates a publisher that closes the store when it is closed. */
  StoreHintPublisher(HintStore store) {
    this.store = store;
  }

  @Override
  public Duration life() {
    return LIFE;
  }

  @Override
  public Optional<String> put(HintSet set) throws InterruptedException {
    try {
      long version = store.put(set);
      return store.awaitApplied(version, HintStore.ROLE_NAMENODE, PATIENCE)
          ? Optional.empty()
          : Optional.of(NOT_APPLIED);
    } catch (IOException | RuntimeException e) {
      return Optional.of(WITHOUT + e.getMessage());
    }
  }

  @Override
  public void keep(String id, Instant end) {
    try {
      Optional<StoredSet> present = store.find(id);
      if (present.isPresent()) {
        HintSet set = present.get().set();
        // Conditional on the version, so that a set which is removed meanwhile is not restored.
        store.put(new HintSet(id, set.owner(), end, set.rules()), present.get().version());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot extend the hints of {}", id, e);
    }
  }

  @Override
  public void remove(String id) {
    try {
      store.remove(id);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot remove the hints of {}; they expire by themselves", id, e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}

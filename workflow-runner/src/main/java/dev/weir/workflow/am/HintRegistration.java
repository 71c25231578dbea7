package dev.weir.workflow.am;

import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hints of one run in the store, from before its first task to its end. */
final class HintRegistration implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HintRegistration.class);
  private static final Duration LIFE = Duration.ofDays(7);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HintStore store;
  private final String id;

  private HintRegistration(HintStore store, String id) {
    this.store = store;
    this.id = id;
  }

  /**
   * Registers rules and waits a bounded time until the NameNode places by them. Hints are advice:
   * when that fails the run goes on, and a note says so.
   *
   * @param store closed with the registration
   */
  static HintRegistration register(
      HintStore store, Owner owner, List<Rule> rules, Instant now, StatusBoard notes)
      throws InterruptedException {
    try {
      long version = store.put(new HintSet(owner.run(), owner.user(), now.plus(LIFE), rules));
      if (!store.awaitApplied(version, HintStore.ROLE_NAMENODE, PATIENCE)) {
        notes.note(
            "The NameNode has not applied the hints within "
                + PATIENCE.toSeconds()
                + " s: is WeirBlockPlacementPolicy set, and its quorum the same?");
      }
    } catch (IOException | RuntimeException e) {
      notes.note("Running without hints: " + e.getMessage());
    }
    return new HintRegistration(store, owner.run());
  }

  /** Whose hints they are. */
  record Owner(String run, String user) {}

  /** Removes the hints; what cannot be removed expires by itself. */
  @Override
  public void close() {
    try {
      store.remove(id);
    } catch (IOException e) {
      LOG.warn("Cannot remove the hints of {}; they expire by themselves", id, e);
    } finally {
      store.close();
    }
  }
}

package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Stores the state that outlives a reconciler. */
interface ReconcilerStore extends AutoCloseable {
  /**
   * The saved state.
   *
   * @param transaction all edits up to it have been handled
   * @param time the time of the last of them, by the NameNode's clock
   */
  record Saved(long transaction, Instant time, Collection<ExpirableFile> files) {
    public Saved {
      files = List.copyOf(files);
    }
  }

  /** Returns the last saved state; empty if none was saved. */
  Optional<Saved> load() throws IOException;

  /** Saves the state atomically. */
  void save(Saved saved) throws IOException;

  @Override
  void close();
}

package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What outlives a reconciler. */
interface ReconcilerStore extends AutoCloseable {
  /**
   * How far it had come.
   *
   * @param transaction all edits up to it have been seen to
   * @param time of the last of them, by the NameNode's clock
   * @param files those on record then
   */
  record Saved(long transaction, Instant time, Collection<ExpirableFile> files) {
    public Saved {
      files = List.copyOf(files);
    }
  }

  /** What was saved last; empty when nothing ever was. */
  Optional<Saved> load() throws IOException;

  /** Saves as a whole or not at all. */
  void save(Saved saved) throws IOException;

  @Override
  void close();
}

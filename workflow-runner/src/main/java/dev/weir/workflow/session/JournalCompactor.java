package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts a session's journal when it has grown to several times the size of the records worth
 * keeping. Runs and jobs continue meanwhile; events wait only while the journal switches to a new
 * file. A crash loses nothing: one rename replaces the old files by the compacted one. Thread-safe.
 */
public final class JournalCompactor {

  /** A shorter journal is not compacted. */
  static final long MIN_BYTES = 32L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(JournalCompactor.class);

  /** The journal is compacted when it has grown by this factor. */
  private static final int GROWTH_FACTOR = 4;

  private final Parts parts;
  private final Executor files;
  private final long minBytes;
  private final AtomicBoolean busy = new AtomicBoolean();

  // Guarded by busy: only the thread that set it reads or writes these.
  private long keptBytes;
  private long appendedBefore;
  private long due;
  private int number;

  /**
   * What the compactor works on.
   *
   * @param old has read the journals of earlier attempts; owned by the compactor from now on
   */
  public record Parts(
      Journal journal,
      JournalReader old,
      SessionReplay replay,
      JobRegistry jobs,
      SessionController controller) {}

  /** The state at the moment when the journal switched to a new file. */
  private record Snapshot(CompactionFilter filter, long ends, CompletableFuture<Journal.Cut> cut) {}

  /**
   * Creates a compactor of a new journal. Blocks.
   *
   * @param files for what blocks
   * @param minBytes minimum journal length for a compaction
   */
  public JournalCompactor(Parts parts, Executor files, long minBytes) {
    this.parts = parts;
    this.files = files;
    this.minBytes = minBytes;
    this.appendedBefore = parts.journal().bytes();
    keptBytes(bytes(parts.old()));
  }

  /** Without the length of the old journals only new records make a compaction due. */
  private static long bytes(JournalReader old) {
    try {
      return old.bytes();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot determine the length of the journal: {}", e.toString());
      return 0;
    }
  }

  private void keptBytes(long bytes) {
    keptBytes = bytes;
    due = Math.max(minBytes, GROWTH_FACTOR * bytes);
  }

  /** Starts a compaction if the journal is long enough; called periodically. Does not block. */
  void compactIfDue() {
    if (!busy.compareAndSet(false, true)) {
      return;
    }
    long total = keptBytes + parts.journal().bytes() - appendedBefore;
    if (total < due) {
      busy.set(false);
      return;
    }
    try {
      begin(total);
    } catch (RejectedExecutionException e) {
      LOG.debug("The session has ended", e);
    }
  }

  private void begin(long total) {
    // On the event loop, so that the snapshot holds exactly the records before the cut.
    var unused =
        parts
            .controller()
            .ask(
                () ->
                    new Snapshot(
                        parts.replay().compactionFilter(),
                        parts.jobs().lastNumber(),
                        parts.journal().cut()))
            .thenCompose(
                snapshot -> snapshot.cut().thenAcceptAsync(cut -> compact(snapshot, cut), files))
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    // The journal stays long, but correct; retry after more growth.
                    LOG.warn("Cannot compact the journal of {} bytes now", total, failure);
                    due = total + total / GROWTH_FACTOR;
                  }
                  busy.set(false);
                });
  }

  /** Whether a compaction is running. */
  boolean isBusy() {
    return busy.get();
  }

  private void compact(Snapshot snapshot, Journal.Cut cut) {
    try {
      number++;
      long bytes = parts.old().replace(cut, number, snapshot.filter()::kept, snapshot.ends());
      LOG.info("Compacted the journal to {} bytes", bytes);
      appendedBefore = cut.bytes();
      keptBytes(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot compact the journal", e);
    }
  }
}

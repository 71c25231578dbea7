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
 * Keeps the journal of a session short: when it has grown to several times what is worth keeping of
 * it, that is put into one file, while runs and jobs come and go. Only the journal's going on in
 * another file keeps anybody waiting. A crash at any moment loses nothing: the new file takes the
 * place of the others in one step. Thread-safe.
 */
public final class JournalCompactor {

  /** It may grow to so many bytes before anybody cares. */
  static final long LEAST_BYTES = 32L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(JournalCompactor.class);

  /** It may grow to so many times what was left of it the last time. */
  private static final int TIMES = 4;

  private final Parts parts;
  private final Executor files;
  private final long leastBytes;
  private final AtomicBoolean busy = new AtomicBoolean();

  // Only while it is not busy, or of whoever has made it so:
  private long kept;
  private long appendedBefore;
  private long due;
  private int number;
  private boolean measured;

  /**
   * What it is about.
   *
   * @param old has read what earlier ApplicationMasters have written; nobody else's from now on
   */
  public record Parts(
      Journal journal,
      JournalReader old,
      SessionReplay replay,
      JobRegistry book,
      SessionController controller) {}

  /** What was known when the journal went on in another file. */
  private record Moment(KnownRecords known, long ends, CompletableFuture<Journal.Cut> cut) {}

  /**
   * Of a journal that has just been begun. When HDFS does not say how long it is, it is asked again
   * at the next look.
   *
   * @param files for what blocks
   * @param leastBytes below which nothing is done
   */
  public JournalCompactor(Parts parts, Executor files, long leastBytes) {
    this.parts = parts;
    this.files = files;
    this.leastBytes = leastBytes;
    measure();
  }

  private void measure() {
    try {
      appendedBefore = parts.journal().bytes();
      kept(parts.old().bytes());
      measured = true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("Nobody knows now how long the journal is: {}", e.toString());
    } finally {
      busy.set(false);
    }
  }

  private void kept(long bytes) {
    kept = bytes;
    due = Math.max(leastBytes, TIMES * bytes);
  }

  /** Sees whether it is time; to be called now and then. Does not block. */
  void look() {
    if (!busy.compareAndSet(false, true)) {
      return;
    }
    if (!measured) {
      measureSoon();
      return;
    }
    long total = kept + parts.journal().bytes() - appendedBefore;
    if (total < due) {
      busy.set(false);
      return;
    }
    try {
      begin(total);
    } catch (RejectedExecutionException e) {
      LOG.debug("The pool has ended", e);
    }
  }

  private void measureSoon() {
    try {
      files.execute(this::measure);
    } catch (RejectedExecutionException e) {
      LOG.debug("The pool has ended", e);
    }
  }

  private void begin(long total) {
    // On the thread on which jobs come and end, so that what is known is what is before the cut.
    var unused =
        parts
            .controller()
            .ask(
                () ->
                    new Moment(
                        parts.replay().known(), parts.book().lastNumber(), parts.journal().cut()))
            .thenCompose(
                moment -> moment.cut().thenAcceptAsync(cut -> putTogether(moment, cut), files))
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    // It is longer than it needs to be, and no worse for that.
                    LOG.warn("The journal of {} bytes is not put together now", total, failure);
                    due = total + total / TIMES;
                  }
                  busy.set(false);
                });
  }

  /** Whether it is about to put something together. */
  boolean isBusy() {
    return busy.get();
  }

  private void putTogether(Moment moment, Journal.Cut cut) {
    try {
      number++;
      long bytes = parts.old().replace(cut, number, moment.known()::kept, moment.ends());
      LOG.info("{} bytes of the journal were worth keeping", bytes);
      appendedBefore = cut.bytes();
      kept(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("The journal cannot be put together", e);
    }
  }
}

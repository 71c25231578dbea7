package dev.weir.workflow.jobserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests to stop a session. Checks that no other ApplicationMaster has replaced this one,
 * and records the stop for the next one. Thread-safe.
 */
public final class SessionStop {

  private static final Logger LOG = LoggerFactory.getLogger(SessionStop.class);

  /** Less than the half minute that clients wait. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Place place;
  private final BooleanSupplier isReplaced;
  private final Executor files;
  private final Duration timeout;
  private final AtomicInteger last = new AtomicInteger();
  private volatile boolean requested;

  /** When a session is to end. */
  enum When {
    /** When its jobs are done. */
    IDLE("ending-"),
    /** At once. */
    NOW("stopping-");

    private final String prefix;

    When(String prefix) {
      this.prefix = prefix;
    }
  }

  /**
   * Where stops are recorded: each request as an empty file, so that one can be withdrawn without
   * the others.
   *
   * @param directory the session's staging directory
   * @param attempt number of this ApplicationMaster, from 1
   */
  public record Place(FileSystem fs, Path directory, int attempt) {}

  /**
   * Creates a stop that is not requested.
   *
   * @param isReplaced whether another ApplicationMaster has replaced this one; blocks
   * @param files runs blocking calls
   */
  public SessionStop(Place place, BooleanSupplier isReplaced, Executor files) {
    this(place, isReplaced, files, TIMEOUT);
  }

  /** Creates a stop with another time limit for HDFS when the session ends at once. */
  SessionStop(Place place, BooleanSupplier isReplaced, Executor files, Duration timeout) {
    this.place = place;
    this.isReplaced = isReplaced;
    this.files = files;
    this.timeout = timeout;
  }

  /** Whether a stop was requested, so that no more jobs are accepted. */
  public boolean isRequested() {
    return requested;
  }

  /**
   * Requests a stop.
   *
   * @return completes with whether this ApplicationMaster ends the session; if not, nothing has
   *     changed
   */
  CompletableFuture<Boolean> request(When when) {
    CompletableFuture<Boolean> isOurs = new CompletableFuture<>();
    CompletableFuture<Void> decided =
        CompletableFuture.runAsync(() -> decide(when, isOurs), files)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    isOurs.completeExceptionally(failure);
                  }
                });
    if (when == When.NOW) {
      // A session stops even while HDFS does not answer.
      CompletableFuture<Boolean> unusedTimeout =
          isOurs.completeOnTimeout(true, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
    return isOurs.thenCompose(
        ends -> {
          if (ends) {
            requested = true;
            return CompletableFuture.completedFuture(true);
          }
          // Refused only after the record is removed; otherwise the next ApplicationMaster would
          // follow it.
          return decided.thenApply(nothing -> false);
        });
  }

  /**
   * Records the stop for a later ApplicationMaster, unless one has replaced this one.
   *
   * @param isOurs whether this ApplicationMaster ends the session; an earlier completion stays
   */
  private void decide(When when, CompletableFuture<Boolean> isOurs) {
    if (isReplaced.getAsBoolean() && isOurs.complete(false)) {
      return;
    }
    Path file =
        new Path(place.directory(), when.prefix + place.attempt() + "-" + last.incrementAndGet());
    try {
      place.fs().createFile(file).overwrite(true).build().close();
    } catch (IOException e) {
      remove(file);
      if (when == When.IDLE) {
        // A stop that the next ApplicationMaster would not see is not accepted.
        throw new UncheckedIOException("Cannot record in HDFS that the session is to stop", e);
      }
      LOG.warn("Cannot record the stop for a later ApplicationMaster", e);
    }
    // An ApplicationMaster that has started meanwhile may have missed the record. The client is
    // told that the stop failed, so the record is removed again.
    if (isReplaced.getAsBoolean() && isOurs.complete(false)) {
      remove(file);
      return;
    }
    isOurs.complete(true);
  }

  private void remove(Path file) {
    try {
      place.fs().delete(file, false);
    } catch (IOException e) {
      LOG.warn("Cannot remove {}: the next ApplicationMaster will stop the session", file, e);
    }
  }

  /** Resumes a stop that an earlier ApplicationMaster accepted; whether it ends at once. Blocks. */
  boolean resume() throws IOException {
    boolean now = false;
    boolean whenIdle = false;
    RemoteIterator<FileStatus> all = place.fs().listStatusIterator(place.directory());
    while (all.hasNext()) {
      String name = all.next().getPath().getName();
      now |= name.startsWith(When.NOW.prefix);
      whenIdle |= name.startsWith(When.IDLE.prefix);
    }
    if (now || whenIdle) {
      requested = true;
    }
    return now;
  }
}

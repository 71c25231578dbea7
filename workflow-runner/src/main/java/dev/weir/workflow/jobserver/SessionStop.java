package dev.weir.workflow.jobserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether somebody wants a pool to end, and whether it is this ApplicationMaster's to end it. What
 * was said holds for the next one, too. Thread-safe.
 */
public final class SessionStop {

  private static final Logger LOG = LoggerFactory.getLogger(SessionStop.class);

  /** Clients wait for half a minute. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final StopMarker mark;
  private final BooleanSupplier isReplaced;
  private final Executor files;
  private final Duration patience;
  private volatile boolean wanted;

  /**
   * Nobody wants it yet.
   *
   * @param mark outlives this ApplicationMaster
   * @param isReplaced whether another ApplicationMaster is known to have come; blocks
   * @param files for calls of both
   */
  public SessionStop(StopMarker mark, BooleanSupplier isReplaced, Executor files) {
    this(mark, isReplaced, files, PATIENCE);
  }

  /** One that HDFS keeps waiting for another time when the pool is to end at once. */
  SessionStop(StopMarker mark, BooleanSupplier isReplaced, Executor files, Duration patience) {
    this.mark = mark;
    this.isReplaced = isReplaced;
    this.files = files;
    this.patience = patience;
  }

  /** Whether somebody wants it: no more jobs are taken. */
  public boolean isWanted() {
    return wanted;
  }

  /**
   * Somebody wants it.
   *
   * @return completes with whether the pool is this ApplicationMaster's to end; when not, nothing
   *     has happened
   */
  CompletableFuture<Boolean> want(StopMarker.When when) {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        CompletableFuture.runAsync(() -> decide(when, mine), files)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    mine.completeExceptionally(failure);
                  }
                });
    if (when == StopMarker.When.NOW) {
      // One that HDFS keeps waiting can be ended all the same.
      CompletableFuture<Boolean> unusedSame =
          mine.completeOnTimeout(true, patience.toMillis(), TimeUnit.MILLISECONDS);
    }
    return mine.thenApply(
        ends -> {
          if (ends) {
            wanted = true;
          }
          return ends;
        });
  }

  /**
   * Takes the end of the pool down for an ApplicationMaster that comes later, unless one has come.
   *
   * @param mine whether the pool is this one's to end; what was said already holds
   */
  private void decide(StopMarker.When when, CompletableFuture<Boolean> mine) {
    if (isReplaced.getAsBoolean() && mine.complete(false)) {
      return;
    }
    Runnable takeBack = () -> {};
    try {
      takeBack = mark.set(when);
    } catch (UncheckedIOException e) {
      if (when == StopMarker.When.IDLE) {
        // What the next ApplicationMaster would not know does not hold for this one either.
        throw e;
      }
      LOG.warn("An ApplicationMaster that comes now does not know that the pool is to end", e);
    }
    // One that has come meanwhile may have looked for the mark before it was there. Who wanted it
    // is told that it did not happen; one that comes later must not do it.
    if (isReplaced.getAsBoolean() && mine.complete(false)) {
      takeBack.run();
      return;
    }
    mine.complete(true);
  }

  /**
   * Heeds what was said to an ApplicationMaster before this one; blocks.
   *
   * @return whether the pool is to end at once
   * @throws IOException when HDFS does not tell
   */
  boolean heed() throws IOException {
    boolean now = mark.isSet(StopMarker.When.NOW);
    if (now || mark.isSet(StopMarker.When.IDLE)) {
      wanted = true;
    }
    return now;
  }
}

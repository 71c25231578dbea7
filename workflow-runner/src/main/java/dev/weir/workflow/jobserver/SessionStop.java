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
 * Handles requests to stop a session. Checks that no other ApplicationMaster has replaced this one,
 * and records the stop for the next one. Thread-safe.
 */
public final class SessionStop {

  private static final Logger LOG = LoggerFactory.getLogger(SessionStop.class);

  /** Less than the half minute that clients wait. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final StopMarker marker;
  private final BooleanSupplier isReplaced;
  private final Executor files;
  private final Duration timeout;
  private volatile boolean requested;

  /**
   * Creates a stop that is not requested.
   *
   * @param marker stored for the next ApplicationMaster
   * @param isReplaced whether another ApplicationMaster has replaced this one; blocks
   * @param files runs blocking calls
   */
  public SessionStop(StopMarker marker, BooleanSupplier isReplaced, Executor files) {
    this(marker, isReplaced, files, TIMEOUT);
  }

  /** Creates a stop with another time limit for HDFS when the session ends at once. */
  SessionStop(StopMarker marker, BooleanSupplier isReplaced, Executor files, Duration timeout) {
    this.marker = marker;
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
  CompletableFuture<Boolean> request(StopMarker.When when) {
    CompletableFuture<Boolean> isOurs = new CompletableFuture<>();
    CompletableFuture<Void> decided =
        CompletableFuture.runAsync(() -> decide(when, isOurs), files)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    isOurs.completeExceptionally(failure);
                  }
                });
    if (when == StopMarker.When.NOW) {
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
          // Refused only after the marker is removed; otherwise the next ApplicationMaster would
          // follow it.
          return decided.thenApply(nothing -> false);
        });
  }

  /**
   * Records the stop for a later ApplicationMaster, unless one has replaced this one.
   *
   * @param isOurs whether this ApplicationMaster ends the session; an earlier completion stays
   */
  private void decide(StopMarker.When when, CompletableFuture<Boolean> isOurs) {
    if (isReplaced.getAsBoolean() && isOurs.complete(false)) {
      return;
    }
    Runnable undo = () -> {};
    try {
      undo = marker.set(when);
    } catch (UncheckedIOException e) {
      if (when == StopMarker.When.IDLE) {
        // A stop that the next ApplicationMaster would not see is not accepted.
        throw e;
      }
      LOG.warn("Cannot record the stop for a later ApplicationMaster", e);
    }
    // An ApplicationMaster that has started meanwhile may have missed the marker. The client is
    // told that the stop failed, so the marker is removed again.
    if (isReplaced.getAsBoolean() && isOurs.complete(false)) {
      undo.run();
      return;
    }
    isOurs.complete(true);
  }

  /**
   * Resumes a stop that an earlier ApplicationMaster accepted. Blocks.
   *
   * @return whether the session ends at once
   */
  boolean resume() throws IOException {
    boolean now = marker.isSet(StopMarker.When.NOW);
    if (now || marker.isSet(StopMarker.When.IDLE)) {
      requested = true;
    }
    return now;
  }
}

package dev.weir.service.reconcile;

import dev.weir.hints.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of what cannot be done for one path, so that all others are still seen to. For one
 * thread.
 */
final class PathFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PathFailures.class);

  private final ReconcilerMetrics counters;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  PathFailures(ReconcilerMetrics counters) {
    this.counters = counters;
  }

  void note(Exception refusal) {
    counters.refused.incr();
    say(String.valueOf(refusal.getMessage()));
  }

  /** Says what is left undone, once a minute at most. */
  void say(String what) {
    if (logLimit.permits()) {
      LOG.warn("Not done, and not tried again: {}", what);
    }
  }
}

package dev.weir.service.reconcile;

import dev.weir.hints.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what the NameNode refuses for one path, so that all other paths are still handled. Not
 * thread-safe.
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

  /** Logs a failure, at most once a minute. */
  void say(String what) {
    if (logLimit.permits()) {
      LOG.warn("The NameNode refused a request, which is not retried: {}", what);
    }
  }
}

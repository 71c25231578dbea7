package dev.weir.service.reconcile;

import dev.weir.hints.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs requests that the NameNode refuses for one path. Other paths are still handled.
 * Not thread-safe.
 */
final class PathFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PathFailures.class);

  private final ReconcilerMetrics counters;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  PathFailures(ReconcilerMetrics counters) {
    this.counters = counters;
  }

  void refused(Exception refusal) {
    counters.refused.incr();
    log(String.valueOf(refusal.getMessage()));
  }

  /** Logs a failure, at most once a minute. */
  void log(String what) {
    if (logLimit.permits()) {
      LOG.warn("The NameNode refused a request, which is not retried: {}", what);
    }
  }
}

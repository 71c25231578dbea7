package dev.weir.yarn.ask;

import dev.weir.yarn.metrics.AskMetrics;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/**
 * The applications that name files. An application is removed when it no longer names files, when
 * it finishes, when a new attempt replaces it, when the ResourceManager considers its attempt
 * ended, or when its ApplicationMaster has not sent heartbeats for the idle time.
 */
public final class ApplicationRegistry {

  /** The most applications that can name files at one time. */
  static final int MAX_APPLICATIONS = 10_000;

  /** How often silent applications are removed, in milliseconds. */
  static final long SWEEP_MILLIS = 60_000;

  private final ConcurrentMap<ApplicationId, ApplicationAsks> apps = new ConcurrentHashMap<>();
  private final Function<ApplicationAttemptId, ApplicationAsks> factory;
  private final AskMetrics metrics;
  private final Predicate<ApplicationAttemptId> ended;
  private final long idleMillis;
  private final AtomicLong nextSweep = new AtomicLong();

  /**
   * Creates an empty registry.
   *
   * @param ended whether an attempt is known to have ended
   */
  public ApplicationRegistry(
      Function<ApplicationAttemptId, ApplicationAsks> factory,
      AskMetrics metrics,
      Predicate<ApplicationAttemptId> ended,
      long idleMillis) {
    this.factory = factory;
    this.metrics = metrics;
    this.ended = ended;
    this.idleMillis = idleMillis;
  }

  /** The state of an attempt; null if there is none. */
  @Nullable ApplicationAsks find(ApplicationAttemptId attempt, long nowMillis) {
    if (nowMillis >= nextSweep.get()) {
      sweep(nowMillis);
    }
    ApplicationAsks app = apps.get(attempt.getApplicationId());
    if (app == null || !app.attempt().equals(attempt)) {
      return null;
    }
    app.heartbeatAt(nowMillis);
    return app;
  }

  /** Adds an attempt; null if there are too many applications. */
  @Nullable ApplicationAsks begin(ApplicationAttemptId attempt, long nowMillis) {
    sweep(nowMillis);
    ApplicationId id = attempt.getApplicationId();
    if (apps.size() >= MAX_APPLICATIONS && !apps.containsKey(id)) {
      return null;
    }
    ApplicationAsks app = factory.apply(attempt);
    app.heartbeatAt(nowMillis);
    apps.put(id, app);
    metrics.applications(apps.size());
    return app;
  }

  void forget(ApplicationId id) {
    if (apps.remove(id) != null) {
      metrics.applications(apps.size());
    }
  }

  int size() {
    return apps.size();
  }

  private void sweep(long nowMillis) {
    long due = nextSweep.get();
    boolean full = apps.size() >= MAX_APPLICATIONS;
    if ((nowMillis >= due || full) && nextSweep.compareAndSet(due, nowMillis + SWEEP_MILLIS)) {
      apps.values()
          .removeIf(app -> nowMillis - app.seenMillis() > idleMillis || ended.test(app.attempt()));
      metrics.applications(apps.size());
    }
  }
}

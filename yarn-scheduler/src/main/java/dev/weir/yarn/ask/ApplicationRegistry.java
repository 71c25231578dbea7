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
 * The applications that name files. An application is forgotten when it names none any more, when
 * it finishes, when a new attempt of it asks, when the ResourceManager takes the attempt for ended,
 * or when it has been silent for so long that its ApplicationMaster is dead.
 */
public final class ApplicationRegistry {

  /** More applications than this do not name files at one time. */
  static final int MAX_APPLICATIONS = 10_000;

  /** How often those that have been silent are looked for. */
  static final long SWEEP_MILLIS = 60_000;

  private final ConcurrentMap<ApplicationId, ApplicationAsks> apps = new ConcurrentHashMap<>();
  private final Function<ApplicationAttemptId, ApplicationAsks> factory;
  private final AskMetrics metrics;
  private final Predicate<ApplicationAttemptId> ended;
  private final long idleMillis;
  private final AtomicLong nextSweep = new AtomicLong();

  /**
   * A registry without applications.
   *
   * @param ended whether an attempt that may have died is known to be over
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

  /** What is remembered of an attempt, null if nothing is. */
  @Nullable ApplicationAsks find(ApplicationAttemptId attempt, long nowMillis) {
    if (nowMillis >= nextSweep.get()) {
      sweep(nowMillis);
    }
    ApplicationAsks app = apps.get(attempt.getApplicationId());
    if (app == null || !app.attempt().equals(attempt)) {
      return null;
    }
    app.seen(nowMillis);
    return app;
  }

  /** Begins to remember an attempt; null if there are too many already. */
  @Nullable ApplicationAsks begin(ApplicationAttemptId attempt, long nowMillis) {
    sweep(nowMillis);
    ApplicationId id = attempt.getApplicationId();
    if (apps.size() >= MAX_APPLICATIONS && !apps.containsKey(id)) {
      return null;
    }
    ApplicationAsks app = factory.apply(attempt);
    app.seen(nowMillis);
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

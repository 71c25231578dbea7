package dev.weir.hdfs.placement;

import dev.weir.hints.WeirVersion;
import dev.weir.hints.store.StoreStatus;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts decisions by kind and outcome, as {@code LocalHonoured}, {@code CollocatePartly} and so
 * on, and by kind and reason, as {@code CollocateBecauseFull}, in the metrics source {@value
 * #NAME}, and says there how well the hints are in step. For any thread.
 */
public final class PlacementMetrics implements MetricsSource {
  /** The name of the metrics source and of its JMX bean. */
  public static final String NAME = "WeirPlacement";

  private static final Logger LOG = LoggerFactory.getLogger(PlacementMetrics.class);

  private static final MetricsInfo CONNECTED =
      Interns.info("HintsConnected", "1 while changes of the hints are heard of, 0 while not");
  private static final MetricsInfo AGE =
      Interns.info("HintsAgeMs", "Milliseconds since the hints were last known to be in step");
  private static final MetricsInfo VERSION =
      Interns.info("HintsVersion", "All changes of the hints up to this version are applied");
  private static final MetricsInfo SETS = Interns.info("HintSets", "Hint sets that are known");
  private static final MetricsInfo RULES = Interns.info("HintRules", "Rules that are known");

  private final MetricsRegistry registry =
      new MetricsRegistry(NAME)
          .setContext("dfs")
          .tag("Version", "The version of Weir", WeirVersion.of(PlacementMetrics.class));
  private final Map<PlacementKind, Map<PlacementOutcome, MutableCounterLong>> decisions = new EnumMap<>(PlacementKind.class);
  private final Map<PlacementKind, Map<RejectionReason, MutableCounterLong>> reasons = new EnumMap<>(PlacementKind.class);
  private final MutableCounterLong failures =
      registry.newCounter("Failures", "Blocks placed as stock because following a hint failed", 0L);

  private volatile Supplier<Optional<StoreStatus>> hints = Optional::empty;

  /** Counters at zero, known to nobody. */
  public PlacementMetrics() {
    for (PlacementKind kind : PlacementKind.values()) {
      Map<PlacementOutcome, MutableCounterLong> ofKind = new EnumMap<>(PlacementOutcome.class);
      for (PlacementOutcome outcome : PlacementOutcome.values()) {
        String name = capital(kind.name()) + capital(outcome.name());
        String what = "Decisions for " + kind + " hints that came out " + outcome;
        ofKind.put(outcome, registry.newCounter(Interns.info(name, what), 0L));
      }
      decisions.put(kind, ofKind);
      reasons.put(kind, reasonCounters(kind));
    }
  }

  private Map<RejectionReason, MutableCounterLong> reasonCounters(PlacementKind kind) {
    Map<RejectionReason, MutableCounterLong> counters = new EnumMap<>(RejectionReason.class);
    for (RejectionReason reason : RejectionReason.values()) {
      String name = capital(kind.name()) + "Because" + capital(reason.name());
      String what = "How often something that " + kind + " hints want was not to be had: " + reason;
      counters.put(reason, registry.newCounter(Interns.info(name, what), 0L));
    }
    return counters;
  }

  /**
   * The counters of this process: those that are registered already, so that a policy that is made
   * anew counts on.
   */
  public static PlacementMetrics registered() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(NAME) instanceof PlacementMetrics present) {
      return present;
    }
    PlacementMetrics metrics = new PlacementMetrics();
    try {
      return system.register(NAME, "Blocks placed by hints", metrics);
    } catch (MetricsException e) {
      LOG.warn("The counters of hinted blocks are not published", e);
      return metrics;
    }
  }

  /** Counts a decision. */
  public void decided(PlacementKind kind, PlacementOutcome outcome) {
    counter(decisions, kind, outcome).incr();
  }

  /** Counts something that a hint wants and that was not to be had. */
  public void missed(PlacementKind kind, RejectionReason reason) {
    counter(reasons, kind, reason).incr();
  }

  /** Counts a fault. */
  public void failed() {
    failures.incr();
  }

  /** How many decisions there were. */
  public long count(PlacementKind kind, PlacementOutcome outcome) {
    return counter(decisions, kind, outcome).value();
  }

  /** How often that was not to be had. */
  public long count(PlacementKind kind, RejectionReason reason) {
    return counter(reasons, kind, reason).value();
  }

  /** How many faults there were. */
  public long failures() {
    return failures.value();
  }

  /**
   * Publishes how well the hints are in step, from now on as this says.
   *
   * @param status never waits; empty while nothing is known
   */
  public void watch(Supplier<Optional<StoreStatus>> status) {
    hints = status;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    status()
        .ifPresent(
            known ->
                record
                    .addGauge(CONNECTED, known.connected() ? 1 : 0)
                    .addGauge(AGE, known.age().toMillis())
                    .addGauge(VERSION, known.version())
                    .addGauge(SETS, known.sets())
                    .addGauge(RULES, known.rules()));
  }

  /** Metrics go on when the store is at fault: whoever collects them has others to collect. */
  private Optional<StoreStatus> status() {
    try {
      return hints.get();
    } catch (RuntimeException e) {
      LOG.debug("The state of the hints cannot be told", e);
      return Optional.empty();
    }
  }

  private static <T> MutableCounterLong counter(
      Map<PlacementKind, Map<T, MutableCounterLong>> counters, PlacementKind kind, T what) {
    Map<T, MutableCounterLong> ofKind = counters.get(kind);
    MutableCounterLong counter = ofKind == null ? null : ofKind.get(what);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + kind + " " + what);
    }
    return counter;
  }

  /** {@code NO_WRITER} becomes {@code NoWriter}. */
  private static String capital(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}

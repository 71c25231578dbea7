package dev.weir.hdfs.placement;

import dev.weir.hints.WeirVersion;
import dev.weir.hints.store.StoreStatus;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
 * Counts placement decisions by kind and outcome, such as {@code LocalHonoured} and {@code
 * CollocatePartly}, and by kind and reason, such as {@code CollocateBecauseFull}. Also shows the
 * state of the hint store. The metrics source is {@value #NAME}. Thread-safe.
 */
public final class PlacementMetrics implements MetricsSource {
  /** The name of the metrics source and of its JMX bean. */
  public static final String NAME = "WeirPlacement";

  private static final Logger LOG = LoggerFactory.getLogger(PlacementMetrics.class);

  private static final MetricsInfo CONNECTED =
      Interns.info("HintsConnected", "1 while changes of hints are received, else 0");
  private static final MetricsInfo AGE =
      Interns.info("HintsAgeMs", "Milliseconds since the hints were last known to be up to date");
  private static final MetricsInfo VERSION =
      Interns.info("HintsVersion", "All changes of the hints up to this version are applied");
  private static final MetricsInfo SETS = Interns.info("HintSets", "Known hint sets");
  private static final MetricsInfo RULES = Interns.info("HintRules", "Known rules");
  private static final MetricsInfo SUSPENDED =
      Interns.info("LazySuspended", "1 while lazy files are written eagerly, else 0");
  private static final MetricsInfo OVERDUE =
      Interns.info(
          "LazyOverdueFiles", "Closed lazy files that lack copies for ten minutes or more");
  private static final MetricsInfo OLDEST =
      Interns.info("LazyOverdueSeconds", "Seconds since the oldest of these files was written");
  private static final MetricsInfo BYTES =
      Interns.info("HintBytes", "Estimated memory of the known hint sets");
  private static final MetricsInfo BYTES_LIMIT =
      Interns.info("HintBytesLimit", "The most memory of hint sets, weir.hints.memory");
  private static final MetricsInfo LEFT_OUT =
      Interns.info("HintSetsLeftOut", "Hint sets whose last change exceeds the memory");
  private static final MetricsInfo REFUSED =
      Interns.info("HintsRefused", "1 while sets are not followed because of who may write them");

  private final MetricsRegistry registry =
      new MetricsRegistry(NAME)
          .setContext("dfs")
          .tag("Version", "The version of Weir", WeirVersion.of(PlacementMetrics.class));
  private final Map<PlacementKind, Map<PlacementOutcome, MutableCounterLong>> decisions =
      new EnumMap<>(PlacementKind.class);
  private final Map<PlacementKind, Map<RejectionReason, MutableCounterLong>> reasons =
      new EnumMap<>(PlacementKind.class);
  private final MutableCounterLong failures =
      registry.newCounter(
          "Failures", "Blocks placed by stock HDFS because following a hint failed", 0L);

  private volatile Supplier<Optional<StoreStatus>> hints = Optional::empty;
  private volatile BooleanSupplier lazySuspended = () -> false;
  private volatile Supplier<OverdueCopies> overdue = () -> OverdueCopies.NONE;

  /** Creates unregistered counters. */
  public PlacementMetrics() {
    for (PlacementKind kind : PlacementKind.values()) {
      Map<PlacementOutcome, MutableCounterLong> ofKind = new EnumMap<>(PlacementOutcome.class);
      for (PlacementOutcome outcome : PlacementOutcome.values()) {
        String name = camelCase(kind.name()) + camelCase(outcome.name());
        String what = "Decisions for " + kind + " hints with outcome " + outcome;
        ofKind.put(outcome, registry.newCounter(Interns.info(name, what), 0L));
      }
      decisions.put(kind, ofKind);
      reasons.put(kind, reasonCounters(kind));
    }
  }

  private Map<RejectionReason, MutableCounterLong> reasonCounters(PlacementKind kind) {
    Map<RejectionReason, MutableCounterLong> counters = new EnumMap<>(RejectionReason.class);
    for (RejectionReason reason : RejectionReason.values()) {
      String name = camelCase(kind.name()) + "Because" + camelCase(reason.name());
      String what = "Nodes rejected for " + kind + " hints because: " + reason;
      counters.put(reason, registry.newCounter(Interns.info(name, what), 0L));
    }
    return counters;
  }

  /** The counters of this process. A new policy continues the registered ones. */
  public static PlacementMetrics registered() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(NAME) instanceof PlacementMetrics present) {
      return present;
    }
    PlacementMetrics metrics = new PlacementMetrics();
    try {
      return system.register(NAME, "Blocks placed by hints", metrics);
    } catch (MetricsException e) {
      LOG.warn("Cannot publish the placement counters", e);
      return metrics;
    }
  }

  public void decided(PlacementKind kind, PlacementOutcome outcome) {
    counter(decisions, kind, outcome).incr();
  }

  /** Counts a wanted node that was rejected. */
  public void rejected(PlacementKind kind, RejectionReason reason) {
    counter(reasons, kind, reason).incr();
  }

  public void failed() {
    failures.incr();
  }

  public long count(PlacementKind kind, PlacementOutcome outcome) {
    return counter(decisions, kind, outcome).value();
  }

  public long count(PlacementKind kind, RejectionReason reason) {
    return counter(reasons, kind, reason).value();
  }

  public long failures() {
    return failures.value();
  }

  /**
   * Publishes the state of the hint store.
   *
   * @param status never blocks; empty while the state is unknown
   */
  public void watch(Supplier<Optional<StoreStatus>> status) {
    hints = status;
  }

  /**
   * Publishes the state of lazy files.
   *
   * @param suspended whether lazy files are written eagerly
   */
  public void watchLazyFiles(BooleanSupplier suspended, Supplier<OverdueCopies> copies) {
    lazySuspended = suspended;
    overdue = copies;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    OverdueCopies copies = overdueCopies();
    record
        .addGauge(SUSPENDED, lazySuspended.getAsBoolean() ? 1 : 0)
        .addGauge(OVERDUE, copies.files())
        .addGauge(OLDEST, copies.oldest().toMillis() / 1000);
    status()
        .ifPresent(
            known ->
                record
                    .addGauge(CONNECTED, known.connected() ? 1 : 0)
                    .addGauge(AGE, known.age().toMillis())
                    .addGauge(VERSION, known.version())
                    .addGauge(SETS, known.sets())
                    .addGauge(RULES, known.rules())
                    .addGauge(BYTES, known.memory().bytes())
                    .addGauge(BYTES_LIMIT, known.memory().limit())
                    .addGauge(LEFT_OUT, known.memory().leftOut())
                    .addGauge(REFUSED, known.problem() == null ? 0 : 1));
  }

  /** A failing store must not disturb the collection of other metrics. */
  private Optional<StoreStatus> status() {
    try {
      return hints.get();
    } catch (RuntimeException e) {
      LOG.debug("Cannot get the state of the hints", e);
      return Optional.empty();
    }
  }

  private OverdueCopies overdueCopies() {
    try {
      return overdue.get();
    } catch (RuntimeException e) {
      LOG.debug("Cannot count the copies that lazy files lack", e);
      return OverdueCopies.NONE;
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

  /** Converts {@code NO_WRITER} to {@code NoWriter}. */
  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}

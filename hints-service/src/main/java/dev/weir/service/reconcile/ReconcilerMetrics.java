package dev.weir.service.reconcile;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;

/** The counters of the reconciler for {@code /jmx} and {@code /prom}. */
final class ReconcilerMetrics implements MetricsSource, AutoCloseable {
  private static final String NAME = "Reconciler";

  private final MetricsSystem system;
  private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("weir");

  final MutableCounterLong edits =
      registry.newCounter("Edits", "Edits of the NameNode that were handled", 0L);

  final MutableCounterLong replicationsSet =
      registry.newCounter("ReplicationsSet", "Files whose replication was set", 0L);

  final MutableCounterLong autoRaised =
      registry.newCounter("AutoRaised", "Files that got more replicas by their use", 0L);

  final MutableCounterLong autoLowered =
      registry.newCounter("AutoLowered", "Files that got fewer replicas by their use", 0L);

  final MutableGaugeLong autoFiles =
      registry.newGauge("AutoFiles", "Files whose replicas follow their use", 0L);

  final MutableGaugeLong autoBytes =
      registry.newGauge("AutoBytes", "Bytes of the copies that their use has earned", 0L);

  final MutableGaugeLong autoBudget =
      registry.newGauge("AutoBudget", "The most bytes of such copies", 0L);

  final MutableCounterLong rulesWritten =
      registry.newCounter(
          "RulesWritten", "Rules created or changed because a path carries a hint", 0L);

  final MutableCounterLong rulesMoved =
      registry.newCounter("RulesMoved", "Rules of single paths that followed a rename", 0L);

  final MutableCounterLong rulesDropped =
      registry.newCounter("RulesDropped", "Rules of single paths that were dropped", 0L);

  final MutableCounterLong hintsUnreadable =
      registry.newCounter("HintsUnreadable", "Hints that paths carry and that cannot be read", 0L);

  final MutableCounterLong hintsRefused =
      registry.newCounter("HintsRefused", "Hints that paths carry and that are beyond a limit", 0L);

  /** The hints behind the last two counters. */
  final IgnoredHints ignored = new IgnoredHints();

  final MutableCounterLong refused =
      registry.newCounter(
          "Refused",
          "Requests that the NameNode refused for one path, for instance because of a quota",
          0L);

  final MutableCounterLong filesRemoved =
      registry.newCounter("FilesRemoved", "Temporary files that were removed", 0L);

  final MutableCounterLong rescans =
      registry.newCounter(
          "Rescans", "Times that edits were missing and hinted paths were listed instead", 0L);

  final MutableCounterLong cacheLeftOut =
      registry.newCounter(
          "CacheLeftOut",
          "Files that patterns ask to be cached, beyond the limit of their set",
          0L);

  final MutableGaugeLong cachedInVain =
      registry.newGauge(
          "CachedInVain", "Paths to be cached while no DataNode has memory for it", 0L);

  final MutableGaugeLong filesOnRecord =
      registry.newGauge("FilesOnRecord", "Temporary files that may be removed later", 0L);

  final MutableGaugeLong transactionsBehind =
      registry.newGauge(
          "TransactionsBehind", "Transactions of the NameNode that are not handled yet", 0L);

  private ReconcilerMetrics(MetricsSystem system) {
    this.system = system;
  }

  static ReconcilerMetrics register(MetricsSystem system) {
    return system.register(NAME, "Weir's reconciler", new ReconcilerMetrics(system));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(registry.info()), all);
  }

  @Override
  public void close() {
    system.unregisterSource(NAME);
  }
}

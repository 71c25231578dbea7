package dev.weir.yarn;

import dev.weir.yarn.metrics.AskMetrics;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Reads the published metrics of the plugin that became active last. */
final class ShownMetrics {

  private ShownMetrics() {}

  /** The value of a counter or gauge, by its published name. */
  static long metric(String name) {
    MetricsCollectorImpl seen = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(AskMetrics.NAME).getMetrics(seen, true);
    for (AbstractMetric metric : seen.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value().longValue();
      }
    }
    throw new AssertionError("no metric " + name);
  }
}

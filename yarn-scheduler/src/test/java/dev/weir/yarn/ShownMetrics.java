package dev.weir.yarn;

import dev.weir.yarn.metrics.AskMetrics;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What the plugin that became active last shows of itself. */
final class ShownMetrics {

  private ShownMetrics() {}

  /** A counter or gauge, by the name that it is shown by. */
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

package dev.weir.bench.yarn;

import dev.weir.bench.yarn.SequentialApplication.Answer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Samples the allocated share of a cluster's memory every second. */
final class ClusterUsage {
  private final YarnClient yarn;

  ClusterUsage(YarnClient yarn) {
    this.yarn = yarn;
  }

  /** Returns the mean until all of these have ended. */
  double until(List<Future<List<Answer>>> runs)
      throws IOException, YarnException, InterruptedException {
    double sum = 0;
    int samples = 0;
    while (samples == 0 || !runs.stream().allMatch(Future::isDone)) {
      sum += now();
      samples++;
      Thread.sleep(1_000);
    }
    return sum / samples;
  }

  private double now() throws IOException, YarnException {
    long used = 0;
    long all = 0;
    for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
      used += node.getUsed().getMemorySize();
      all += node.getCapability().getMemorySize();
    }
    return all == 0 ? 0 : (double) used / all;
  }
}

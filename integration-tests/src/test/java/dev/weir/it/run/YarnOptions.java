package dev.weir.it.run;

import dev.weir.cluster.plan.ClusterSpec;
import java.util.List;
import java.util.stream.Stream;

/** Options of applications for YARN, and the cluster that allows them. */
final class YarnOptions {
  /** The label of a node. */
  static final String LABEL = "fast";

  private static final String CAPACITY = "yarn.scheduler.capacity.root.";

  private YarnOptions() {}

  /** Lets a cluster have priorities, labels of nodes, and ranges of ports. */
  static ClusterSpec.Builder allow(ClusterSpec.Builder spec) {
    spec.configuration("yarn.cluster.max-application-priority", "10")
        .configuration("yarn.node-labels.enabled", "true")
        .configuration("weir.master.ports", "51300-51340")
        .configuration("weir.worker.ports", "51350-51390");
    for (String queue : List.of("", "default.")) {
      spec.configuration(CAPACITY + queue + "accessible-node-labels", LABEL)
          .configuration(CAPACITY + queue + "accessible-node-labels.fast.capacity", "100");
    }
    return spec;
  }

  static boolean isPortOfMaster(int port) {
    return port >= 51_300 && port <= 51_340;
  }

  static boolean isPortOfWorker(int port) {
    return port >= 51_350 && port <= 51_390;
  }

  /** Returns a command line, with a queue, a priority, a label, a lifetime and a tag at its end. */
  static String[] after(String... words) {
    return Stream.concat(
            Stream.of(words),
            Stream.of(
                "--queue root.default --priority 3 --node-label fast --max-time 1h --tag night"
                    .split(" ", -1)))
        .toArray(String[]::new);
  }
}

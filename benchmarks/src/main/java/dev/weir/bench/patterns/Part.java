package dev.weir.bench.patterns;

import dev.weir.bench.series.Setup;
import dev.weir.bench.series.TurnOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment with the setups that it is run in.
 *
 * @param experiment what is run
 * @param byReplicas whether numbers of replicas are compared instead of setups
 * @param setups in which
 */
record Part(Experiment experiment, boolean byReplicas, List<Setup> setups) {
  Part {
    setups = List.copyOf(setups);
  }

  /** Name of the directory with its records. */
  String group() {
    return String.join(
            "-",
            experiment.pattern().label(),
            experiment.size().label(),
            experiment.variant().label())
        + (byReplicas ? "-replicas" : "");
  }

  String title() {
    return experiment.label() + (byReplicas ? ", by replicas" : "");
  }

  TurnOrder.Group turns() {
    return new TurnOrder.Group(group(), setups.stream().map(Setup::label).toList());
  }

  /**
   * All that there can be in a directory, in the order of tables.
   *
   * @param cluster an experiment of this cluster, whichever
   */
  static List<Part> all(Experiment cluster) {
    List<Part> parts = new ArrayList<>();
    for (PatternSize size : PatternSize.values()) {
      for (Variant variant : Variant.values()) {
        for (Pattern pattern : Pattern.values()) {
          Experiment one = cluster.of(pattern, size, variant);
          parts.add(new Part(one, false, List.of()));
          parts.add(new Part(one, true, List.of()));
        }
      }
    }
    return parts;
  }
}

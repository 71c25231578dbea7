package dev.weir.bench.patterns;

import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.Setup;
import java.util.ArrayList;
import java.util.List;

record ExperimentSetups(Experiment experiment, List<Setup> setups) {
  ExperimentSetups {
    setups = List.copyOf(setups);
  }

  /** Returns the name of the directory of its records. */
  String group() {
    return String.join(
        "-", experiment.pattern().label(), experiment.size().label(), experiment.variant().label());
  }

  RunOrder.Group orderGroup() {
    return new RunOrder.Group(group(), setups.stream().map(Setup::label).toList());
  }

  /** Returns all experiments that a directory may have, in the order of tables. */
  static List<ExperimentSetups> all(Experiment cluster) {
    List<ExperimentSetups> parts = new ArrayList<>();
    for (PatternSize size : PatternSize.values()) {
      for (PatternVariant variant : PatternVariant.values()) {
        for (Pattern pattern : Pattern.values()) {
          parts.add(new ExperimentSetups(cluster.of(pattern, size, variant), List.of()));
        }
      }
    }
    return parts;
  }
}

package dev.weir.workflow.pegasus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The catalog of programs of jobs. Not thread-safe. */
final class Catalog {

  private static final int SHOWN = 5;

  private final List<Transformation> transformations = new ArrayList<>();

  void add(Transformation transformation) {
    transformations.add(transformation);
  }

  boolean isEmpty() {
    return transformations.isEmpty();
  }

  /** Finds the program with exactly this name, or else the first that fits. */
  Optional<Transformation> find(Transformation.Name job) {
    return transformations.stream()
        .filter(transformation -> transformation.name().equals(job))
        .findFirst()
        .or(
            () ->
                transformations.stream()
                    .filter(transformation -> transformation.name().fits(job))
                    .findFirst());
  }

  /** Returns some of its names, for messages. */
  String shown() {
    return transformations.stream()
            .limit(SHOWN)
            .map(transformation -> transformation.name().toString())
            .collect(Collectors.joining(", "))
        + (transformations.size() > SHOWN ? ", ..." : "");
  }
}

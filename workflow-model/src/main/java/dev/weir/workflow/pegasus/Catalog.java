package dev.weir.workflow.pegasus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The programs that jobs may name. Not thread-safe. */
final class Catalog {

  private static final int SHOWN = 5;

  private final List<Transformation> transformations = new ArrayList<>();

  void add(Transformation transformation) {
    transformations.add(transformation);
  }

  boolean isEmpty() {
    return transformations.isEmpty();
  }

  /** The one of this very name, or else the first that fits. */
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

  /** A few of its names, for messages. */
  String shown() {
    return transformations.stream()
            .limit(SHOWN)
            .map(transformation -> transformation.name().toString())
            .collect(Collectors.joining(", "))
        + (transformations.size() > SHOWN ? ", ..." : "");
  }
}

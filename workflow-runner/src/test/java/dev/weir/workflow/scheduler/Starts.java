package dev.weir.workflow.scheduler;

import java.util.List;

/** Filters the starts of attempts from effects. */
final class Starts {

  private Starts() {}

  static List<Effect.Start> starts(Step step) {
    return starts(step.effects());
  }

  static List<Effect.Start> starts(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Start.class::isInstance)
        .map(Effect.Start.class::cast)
        .toList();
  }
}

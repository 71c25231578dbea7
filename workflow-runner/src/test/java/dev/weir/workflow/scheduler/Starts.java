package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Step;
import java.util.List;

/** Starts of attempts for tests. */
public final class Starts {

  private Starts() {}

  /** The start of an attempt with one core whose files are in HDFS. */
  public static Effect.Start of(String worker, String task, int attempt, List<String> outputs) {
    return of(worker, task, attempt, outputs, false);
  }

  /** The start of an attempt, or of a second copy, with one core whose files are in HDFS. */
  public static Effect.Start of(
      String worker, String task, int attempt, List<String> outputs, boolean copy) {
    return new Effect.Start(
        worker, task, attempt, outputs, ResourceNeeds.ONE_CORE, copy, Effect.Stores.NONE, 0);
  }

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

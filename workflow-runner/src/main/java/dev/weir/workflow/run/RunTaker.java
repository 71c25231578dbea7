package dev.weir.workflow.run;

import dev.weir.workflow.scheduler.SteeringAnswer;
import java.util.concurrent.CompletableFuture;

/** Takes further runs into the session of a run. */
@FunctionalInterface
public interface RunTaker {

  /**
   * Takes a run, unless the session has it already. Does not block.
   *
   * @param id of the run, whose directory has its plan
   * @return the answer for the client, which counts no task if the run is refused; fails when it is
   *     not known whether the run was taken
   */
  CompletableFuture<SteeringAnswer> take(String id);
}

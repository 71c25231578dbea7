package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.Effect;
import java.util.List;
import java.util.Optional;

/** Turns the dispatcher's decisions into what workers are told, and back. */
public interface OrderFactory {

  /** What a worker is told. */
  TaskOrder order(Effect.Start start);

  /** The path of a file that the dispatcher knows by this id. */
  String path(String file);

  /**
   * The same of a file of a run that may be over.
   *
   * @return nothing when it is
   */
  default Optional<String> pathIfKnown(String file) {
    return Optional.of(path(file));
  }

  /**
   * The paths under which an attempt may have written before it commits, those of each label that
   * it may have in the order of its outputs.
   */
  List<String> temporaryPaths(Effect.Discard cutOff);

  /** What a worker says, in the dispatcher's words. */
  default TaskReport accept(TaskReport report) {
    return report;
  }
}

package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.Effect;
import java.util.List;
import java.util.Optional;

/** Translates the dispatcher's decisions into workers' orders, and workers' reports back. */
public interface OrderFactory {

  TaskOrder order(Effect.Start start);

  /** Returns the path of the file with a dispatcher's id. */
  String path(String file);

  /** Returns the path under which a file of a node is written to HDFS before it gets its name. */
  String temporaryPath(String file);

  /**
   * Returns the path of a file whose run may have ended.
   *
   * @return the path; empty when the run has ended
   */
  default Optional<String> pathIfKnown(String file) {
    return Optional.of(path(file));
  }

  /**
   * Returns the temporary paths of an attempt's outputs: for each possible label, in the order of
   * the outputs.
   */
  List<String> temporaryPaths(Effect.Discard cutOff);

  /** Translates a worker's file names in a report into the dispatcher's ids. */
  default TaskReport accept(TaskReport report) {
    return report;
  }
}

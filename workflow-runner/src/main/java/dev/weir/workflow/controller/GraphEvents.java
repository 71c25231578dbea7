package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.util.Optional;

/** Receives the events of a session's graphs. */
public interface GraphEvents {

  /** Returns the files of a live graph. */
  RunFiles files(String graph);

  /** Answers a steering request. Blocks. */
  void answer(Effect.Answer answer);

  /**
   * The tasks of a sub-workflow are to be added. Called on the event loop; does not block. By
   * default nothing is added.
   */
  default void expand(Effect.Expand expansion) {}

  /** Notes something for the users of all graphs. Does not block. By default nothing is noted. */
  default void note(String note) {}

  /**
   * A graph has ended. Called on the event loop; does not block.
   *
   * @param failure why it has not succeeded; empty when it has
   */
  void ended(String graph, Optional<RunFailure> failure);
}

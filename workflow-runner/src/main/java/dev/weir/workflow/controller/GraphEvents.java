package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.Effect;
import dev.weir.workflow.scheduler.RunFailure;
import java.util.Optional;

/** Hears what becomes of the graphs of a session. */
public interface GraphEvents {

  /** What looks after the files of a graph that goes on. */
  RunFiles keeper(String graph);

  /** Somebody who steers a graph is answered. Blocks. */
  void answer(Effect.Answer answer);

  /**
   * A graph has come to its end. On the dispatcher's thread; does not block.
   *
   * @param failure why it has not succeeded; empty when it has
   */
  void ended(String graph, Optional<RunFailure> failure);
}

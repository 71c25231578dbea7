package dev.weir.workflow.scheduler;

/**
 * What the parts of a dispatcher that are about one graph work on together.
 *
 * @param board the tasks and files of the graph
 * @param crew the workers
 * @param hands who has which task
 * @param turn the event that is being handled
 * @param readRate how fast workers read from other nodes
 */
record SchedulerContext(
    WorkflowState board, WorkerSet crew, Assignments hands, StepBuilder turn, ReadRate readRate) {

  /** With nothing in anybody's hands. */
  SchedulerContext(WorkflowState board, WorkerSet crew, StepBuilder turn) {
    this(board, crew, new Assignments(crew, turn), turn, new ReadRate());
  }
}

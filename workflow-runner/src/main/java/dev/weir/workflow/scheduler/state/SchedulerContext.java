package dev.weir.workflow.scheduler.state;

/**
 * The objects that the parts of a dispatcher share for one graph.
 *
 * @param graph the tasks and files of the graph
 * @param workers the live workers
 * @param assignments which worker has which task
 * @param stepBuilder the event being handled
 */
public record SchedulerContext(
    WorkflowState graph,
    WorkerSet workers,
    Assignments assignments,
    StepBuilder stepBuilder,
    ReadRate readRate) {}

package dev.weir.workflow.record;

import java.time.Instant;
import java.util.List;

/**
 * A run of a workflow, from submission to end.
 *
 * @param runId unique name of the run
 * @param workflow name of the workflow
 * @param mode how it was run: {@code stock}, {@code locality} or {@code weir}
 * @param state how it ended
 * @param started when it began
 * @param ended when it ended
 * @param workers the workers that took part
 * @param tasks every attempt at every task, in the order of dispatch
 * @param reused the tasks that were not run because an earlier run had done them
 * @param caches what the caches of its nodes did for each other and ahead of tasks
 * @param tidied what became of files in between that it needed no more
 */
public record RunRecord(
    String runId,
    String workflow,
    String mode,
    RunState state,
    Instant started,
    Instant ended,
    List<WorkerRecord> workers,
    List<TaskRecord> tasks,
    List<ReusedTask> reused,
    CacheTraffic caches,
    DeletedFiles tidied) {

  /**
   * A run that took nothing over, whose caches had nothing for each other and that kept all files.
   *
   * @param runId unique name of the run
   * @param workflow name of the workflow
   * @param mode how it was run
   * @param state how it ended
   * @param started when it began
   * @param ended when it ended
   * @param workers the workers that took part
   * @param tasks every attempt at every task, in the order of dispatch
   */
  public RunRecord(
      String runId,
      String workflow,
      String mode,
      RunState state,
      Instant started,
      Instant ended,
      List<WorkerRecord> workers,
      List<TaskRecord> tasks) {
    this(
        runId,
        workflow,
        mode,
        state,
        started,
        ended,
        workers,
        tasks,
        List.of(),
        CacheTraffic.NONE,
        DeletedFiles.NOTHING);
  }

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when it ends before it starts
   */
  public RunRecord {
    workers = List.copyOf(workers);
    tasks = List.copyOf(tasks);
    reused = List.copyOf(reused);
    if (ended.isBefore(started)) {
      throw new IllegalArgumentException(
          "Run '" + runId + "' ends (" + ended + ") before it starts (" + started + ")");
    }
  }

  /**
   * The same with what it took over.
   *
   * @param done the tasks that were not run because an earlier run had done them
   * @return the record
   */
  public RunRecord with(List<ReusedTask> done) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, done, caches, tidied);
  }

  /**
   * The same with what its caches did.
   *
   * @param traffic what they did
   * @return the record
   */
  public RunRecord with(CacheTraffic traffic) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, reused, traffic, tidied);
  }

  /**
   * The same with what became of files in between.
   *
   * @param files what became of them
   * @return the record
   */
  public RunRecord with(DeletedFiles files) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, reused, caches, files);
  }

  /**
   * Adds up what its attempts did.
   *
   * @return the totals
   */
  public RunTotals totals() {
    return RunTotals.of(this);
  }
}

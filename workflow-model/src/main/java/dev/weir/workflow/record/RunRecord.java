package dev.weir.workflow.record;

import java.time.Instant;
import java.util.List;

/**
 * The record of a run of a workflow, from submission to end.
 *
 * @param runId unique name of the run
 * @param mode its mode: {@code stock}, {@code locality} or {@code weir}
 * @param state its final state
 * @param workers the workers that took part
 * @param tasks every attempt of every task, in the order of dispatch
 * @param reused the tasks that were not run because an earlier run had done them
 * @param caches traffic between its node caches
 * @param tidied deletion of its intermediate files
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

  /** Creates a record without reused tasks, cache traffic and deleted files. */
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
   * Validates the times and copies the lists.
   *
   * @throws IllegalArgumentException if it ends before it starts
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
   * Returns a copy with reused tasks.
   *
   * @param done the tasks that were not run because an earlier run had done them
   */
  public RunRecord with(List<ReusedTask> done) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, done, caches, tidied);
  }

  /** Returns a copy with cache traffic. */
  public RunRecord with(CacheTraffic traffic) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, reused, traffic, tidied);
  }

  /**
   * Returns a copy with deleted files.
   *
   * @param files the deletion
   */
  public RunRecord with(DeletedFiles files) {
    return new RunRecord(
        runId, workflow, mode, state, started, ended, workers, tasks, reused, caches, files);
  }

  /** Sums up its attempts. */
  public RunTotals totals() {
    return RunTotals.of(this);
  }
}

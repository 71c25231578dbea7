package dev.weir.workflow.provenance;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a task of a run that has ended.
 *
 * @param task id of the task
 * @param attempt its number, from 1
 * @param worker id of the worker
 * @param node host name of the worker's node
 * @param outcome how it ended
 * @param exitCode what the process exited with; -1 when it did not get that far
 * @param ready when all inputs were there
 * @param dispatched when a worker took it in hand
 * @param times how long each phase took
 * @param bytes how many bytes it moved
 * @param effort what its command took of the node; null when that was not measured
 * @param files what it read and wrote, as far as that was measured
 */
public record AttemptEntry(
    String task,
    int attempt,
    String worker,
    String node,
    Outcome outcome,
    int exitCode,
    Instant ready,
    Instant dispatched,
    Times times,
    Bytes bytes,
    @Nullable ResourceUse effort,
    List<FileUse> files) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when something is missing or cannot be
   */
  public AttemptEntry {
    ValueChecks.require("task", task, ValueChecks.NAME);
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt " + attempt + " of '" + task + "': count from 1");
    }
    ValueChecks.require("worker", worker, ValueChecks.WORD);
    ValueChecks.require("node", node, ValueChecks.WORD);
    ValueChecks.requireThere("outcome", outcome);
    ValueChecks.requireThere("ready", ready);
    ValueChecks.requireThere("dispatched", dispatched);
    ValueChecks.requireThere("times", times);
    ValueChecks.requireThere("bytes", bytes);
    files = ValueChecks.listOf(files);
  }

  /**
   * An attempt as the record of a run has it.
   *
   * @param record the attempt
   * @return the entry
   */
  public static AttemptEntry of(TaskRecord record) {
    List<FileUse> files = new ArrayList<>();
    record.files().inputs().forEach(file -> files.add(use(file, false)));
    record.files().outputs().forEach(file -> files.add(use(file, true)));
    return new AttemptEntry(
        record.task(),
        record.attempt(),
        record.worker(),
        record.node(),
        record.outcome(),
        record.exitCode(),
        record.ready(),
        record.dispatched(),
        new Times(
            record.phases().stageInLocal().toMillis(),
            record.phases().stageInRemote().toMillis(),
            record.phases().run().toMillis(),
            record.phases().stageOut().toMillis()),
        new Bytes(
            record.traffic().inputOwn(),
            record.traffic().inputRemote(),
            record.traffic().output(),
            record.traffic().outputRemote()),
        record.effort().equals(ResourceUse.NONE) ? null : record.effort(),
        files);
  }

  private static FileUse use(FileRecord file, boolean output) {
    return new FileUse(
        file.file(), output, file.bytes(), file.isSummed() ? Checksum.toHex(file.crc32c()) : null);
  }

  /**
   * When its last phase ended.
   *
   * @return the moment
   */
  public Instant ended() {
    return dispatched.plusMillis(times.sum());
  }

  /**
   * How long each phase took, in milliseconds.
   *
   * @param stageInLocal reading inputs from the own node
   * @param stageInRemote reading inputs from other nodes
   * @param run the process itself
   * @param stageOut writing the outputs
   */
  public record Times(long stageInLocal, long stageInRemote, long run, long stageOut) {

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when one is negative
     */
    public Times {
      ValueChecks.requireCount("stage-in-local", stageInLocal);
      ValueChecks.requireCount("stage-in-remote", stageInRemote);
      ValueChecks.requireCount("run", run);
      ValueChecks.requireCount("stage-out", stageOut);
    }

    long sum() {
      return stageInLocal + stageInRemote + run + stageOut;
    }
  }

  /**
   * How many bytes it moved.
   *
   * @param inputLocal read from the own node
   * @param inputRemote read from other nodes
   * @param output of its outputs, each byte once
   * @param outputRemote of their replicas on other nodes
   */
  public record Bytes(long inputLocal, long inputRemote, long output, long outputRemote) {

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when one is negative
     */
    public Bytes {
      ValueChecks.requireCount("input-local", inputLocal);
      ValueChecks.requireCount("input-remote", inputRemote);
      ValueChecks.requireCount("output", output);
      ValueChecks.requireCount("output-remote", outputRemote);
    }
  }
}

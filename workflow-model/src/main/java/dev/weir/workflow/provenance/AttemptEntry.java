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
 * An attempt of a task that has ended.
 *
 * @param attempt its number, from 1
 * @param exitCode what the process exited with; -1 if the process did not exit by itself
 * @param ready time at which all inputs existed
 * @param dispatched time at which a worker started it
 * @param times how long each phase took
 * @param bytes the bytes that it moved
 * @param effort processor time and memory that its command used; null if not measured
 * @param files the files that it read and wrote, as far as measured
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
   * Validates the components and copies the list.
   *
   * @throws IllegalArgumentException if a component is missing or invalid
   */
  public AttemptEntry {
    ValueChecks.require("task", task, ValueChecks.NAME);
    if (attempt < 1) {
      throw new IllegalArgumentException("attempt " + attempt + " of '" + task + "': count from 1");
    }
    ValueChecks.require("worker", worker, ValueChecks.WORD);
    ValueChecks.require("node", node, ValueChecks.WORD);
    ValueChecks.requirePresent("outcome", outcome);
    ValueChecks.requirePresent("ready", ready);
    ValueChecks.requirePresent("dispatched", dispatched);
    ValueChecks.requirePresent("times", times);
    ValueChecks.requirePresent("bytes", bytes);
    files = ValueChecks.listOf(files);
  }

  /** Converts an attempt of a run record. */
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
        file.file(),
        output,
        file.bytes(),
        file.isSummed() ? Checksum.toHex(file.crc32c()) : null,
        file.onNode() ? true : null);
  }

  /** Returns the end of its last phase. */
  public Instant ended() {
    return dispatched.plusMillis(times.sum());
  }

  /**
   * How long each phase took, in milliseconds.
   *
   * @param stageInLocal reading inputs from its own node
   * @param stageInRemote reading inputs from other nodes
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
   * The bytes that an attempt moved.
   *
   * @param inputLocal bytes read from its own node
   * @param inputRemote bytes read from other nodes
   * @param output bytes of its outputs, each counted once
   * @param outputRemote bytes of their replicas on other nodes
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

package dev.weir.workflow.record;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of an attempt of a task: its node, the durations of its phases and the bytes that it
 * moved. The phases follow each other from {@link #dispatched()} on: stage-in from its own node,
 * stage-in from other nodes, run, stage-out.
 *
 * @param attempt number of the attempt, from 1
 * @param outcome how it ended
 * @param exitCode exit code of the process; -1 if it did not exit by itself
 * @param ready time at which all its inputs existed
 * @param dispatched time at which a worker received it, not before it was ready
 * @param traffic bytes that it moved
 * @param files files that it read and wrote
 * @param effort processor time and memory of its command
 * @param fill how full its node was when it ended
 * @param placement why it was assigned to its worker
 * @param message the error of an attempt that failed or was lost, in one line; empty if unknown, or
 *     if it did not fail
 */
public record TaskRecord(
    String task,
    String type,
    int attempt,
    String worker,
    String node,
    Outcome outcome,
    int exitCode,
    Instant ready,
    Instant dispatched,
    Phases phases,
    Traffic traffic,
    Files files,
    ResourceUse effort,
    NodeFill fill,
    PlacementReason placement,
    String message) {

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the attempt is not counted from 1 or was dispatched before
   *     it was ready
   */
  public TaskRecord {
    if (attempt < 1) {
      throw new IllegalArgumentException(
          "Task '" + task + "' has the attempt " + attempt + ": count from 1");
    }
    if (dispatched.isBefore(ready)) {
      throw new IllegalArgumentException(
          "Task '"
              + task
              + "' is dispatched ("
              + dispatched
              + ") before it is ready ("
              + ready
              + ")");
    }
  }

  /**
   * Creates a builder of an attempt's record. Worker, outcome and times are required. The other
   * components default to zero or empty.
   *
   * @param attempt number of the attempt, from 1
   */
  public static Builder builder(String task, String type, int attempt) {
    return new Builder(task, type, attempt);
  }

  /**
   * The files of an attempt.
   *
   * @param inputs files that it read, in the order of the task's inputs; empty if it failed before
   * @param outputs files that it committed
   */
  public record Files(List<FileRecord> inputs, List<FileRecord> outputs) {

    /** No known files. */
    public static final Files NONE = new Files(List.of(), List.of());

    /** Copies the lists. */
    public Files {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /** Returns a builder of a copy. */
  public Builder toBuilder() {
    return builder(task, type, attempt)
        .worker(worker, node)
        .outcome(outcome, exitCode)
        .times(ready, dispatched)
        .phases(phases)
        .traffic(traffic)
        .files(files.inputs(), files.outputs())
        .effort(effort)
        .fill(fill)
        .placement(placement)
        .message(message);
  }

  /** Returns the record with another error message, in one line. */
  public TaskRecord withMessage(String line) {
    return toBuilder().message(line).build();
  }

  /** Returns the end of its last phase. */
  public Instant ended() {
    return dispatched.plus(phases.total());
  }

  /**
   * The durations of an attempt's phases.
   *
   * @param stageInLocal reading inputs from the worker's own node
   * @param stageInRemote reading inputs from other nodes
   * @param stageOut writing the outputs
   */
  public record Phases(
      Duration stageInLocal, Duration stageInRemote, Duration run, Duration stageOut) {

    /** No phase was reached. */
    public static final Phases NONE =
        new Phases(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Validates the components.
     *
     * @throws IllegalArgumentException if a duration is negative
     */
    public Phases {
      if (stageInLocal.isNegative()
          || stageInRemote.isNegative()
          || run.isNegative()
          || stageOut.isNegative()) {
        throw new IllegalArgumentException(
            "A phase has a negative duration: stage-in local "
                + stageInLocal
                + ", remote "
                + stageInRemote
                + ", run "
                + run
                + ", stage-out "
                + stageOut);
      }
    }

    /** Returns the sum of the durations. */
    public Duration total() {
      return stageInLocal.plus(stageInRemote).plus(run).plus(stageOut);
    }
  }

  /**
   * The bytes that an attempt moved, as measured by its readers and writers.
   *
   * @param inputLocal bytes read from the worker's own node
   * @param inputRemote bytes read from other nodes
   * @param output bytes of the outputs, each byte once
   * @param outputRemote bytes of their replicas on other nodes
   * @param inputCached bytes of inputs in the node's cache, which were not moved
   */
  public record Traffic(
      long inputLocal, long inputRemote, long output, long outputRemote, long inputCached) {

    /** Nothing moved. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /** Creates the traffic of an attempt without cached inputs. */
    public Traffic(long inputLocal, long inputRemote, long output, long outputRemote) {
      this(inputLocal, inputRemote, output, outputRemote, 0);
    }

    /**
     * Validates the components.
     *
     * @throws IllegalArgumentException if a count is negative
     */
    public Traffic {
      if (inputLocal < 0 || inputRemote < 0 || output < 0 || outputRemote < 0 || inputCached < 0) {
        throw new IllegalArgumentException(
            "A count of bytes is negative: input local "
                + inputLocal
                + ", remote "
                + inputRemote
                + ", output "
                + output
                + ", remote "
                + outputRemote
                + ", cached "
                + inputCached);
      }
    }

    /** Returns the component-wise sum. */
    public Traffic plus(Traffic other) {
      return new Traffic(
          inputLocal + other.inputLocal,
          inputRemote + other.inputRemote,
          output + other.output,
          outputRemote + other.outputRemote,
          inputCached + other.inputCached);
    }

    /** Returns the input bytes that the worker's node had, in HDFS or in its cache. */
    public long inputOwn() {
      return inputLocal + inputCached;
    }
  }

  /** Builds the record of one attempt. Not thread-safe. */
  public static final class Builder {

    private final String task;
    private final String type;
    private final int attempt;
    private @Nullable String worker;
    private @Nullable String node;
    private @Nullable Outcome outcome;
    private int exitCode;
    private @Nullable Instant ready;
    private @Nullable Instant dispatched;
    private Phases phases = Phases.NONE;
    private Traffic traffic = Traffic.NONE;
    private Files files = Files.NONE;
    private ResourceUse effort = ResourceUse.NONE;
    private NodeFill fill = NodeFill.UNKNOWN;
    private PlacementReason placement = PlacementReason.UNKNOWN;
    private String message = "";

    private Builder(String task, String type, int attempt) {
      this.task = task;
      this.type = type;
      this.attempt = attempt;
    }

    /** Sets the worker and its node. */
    public Builder worker(String id, String host) {
      worker = id;
      node = host;
      return this;
    }

    /**
     * Sets how it ended.
     *
     * @param code exit code of the process; -1 if it did not exit by itself
     */
    public Builder outcome(Outcome value, int code) {
      outcome = value;
      exitCode = code;
      return this;
    }

    /**
     * Sets when it became ready and started.
     *
     * @param inputs time at which all its inputs existed
     * @param begin time at which a worker received it, not before that
     */
    public Builder times(Instant inputs, Instant begin) {
      ready = inputs;
      dispatched = begin;
      return this;
    }

    /** Sets the durations of the phases. */
    public Builder phases(Phases value) {
      phases = value;
      return this;
    }

    /** Sets the bytes that it moved. */
    public Builder traffic(Traffic value) {
      traffic = value;
      return this;
    }

    /**
     * Sets the files that it read and wrote.
     *
     * @param inputs files that it read, in the order of the task's inputs
     * @param outputs files that it committed
     */
    public Builder files(List<FileRecord> inputs, List<FileRecord> outputs) {
      files = inputs.isEmpty() && outputs.isEmpty() ? Files.NONE : new Files(inputs, outputs);
      return this;
    }

    /** Sets the resources that its command used. */
    public Builder effort(ResourceUse value) {
      effort = value;
      return this;
    }

    /** Sets how full its node was when it ended. */
    public Builder fill(NodeFill value) {
      fill = value;
      return this;
    }

    /** Sets why it was assigned to its worker. */
    public Builder placement(PlacementReason value) {
      placement = value;
      return this;
    }

    /**
     * Sets its error message.
     *
     * @param line the message, in one line; empty for none
     */
    public Builder message(String line) {
      message = line;
      return this;
    }

    /**
     * Builds it.
     *
     * @throws IllegalArgumentException when the attempt is not counted from 1 or was dispatched
     *     before it was ready
     * @throws NullPointerException if worker, outcome or times are missing
     */
    public TaskRecord build() {
      return new TaskRecord(
          task,
          type,
          attempt,
          requireNonNull(worker, "worker"),
          requireNonNull(node, "node"),
          requireNonNull(outcome, "outcome"),
          exitCode,
          requireNonNull(ready, "ready"),
          requireNonNull(dispatched, "dispatched"),
          phases,
          traffic,
          files,
          effort,
          fill,
          placement,
          message);
    }
  }
}

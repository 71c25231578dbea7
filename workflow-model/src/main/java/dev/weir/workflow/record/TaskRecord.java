package dev.weir.workflow.record;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task: where it ran, how long each phase took and how many bytes moved. The
 * phases follow each other from {@link #dispatched()} on: stage-in from the own node, stage-in from
 * other nodes, run, stage-out.
 *
 * @param task id of the task
 * @param type its type
 * @param attempt number of the attempt, from 1
 * @param worker id of the worker
 * @param node host name of the worker's node
 * @param outcome how it ended
 * @param exitCode what the process exited with; -1 when it did not get that far
 * @param ready when all its inputs were there
 * @param dispatched when a worker got it, not before it was ready
 * @param phases how long each phase took
 * @param traffic how many bytes it moved
 * @param files what it read and wrote
 * @param effort what its command took of the node
 * @param message what an attempt that failed or was lost says of itself, in one line; empty when
 *     nothing is known, as of one that was no failure
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
    String message) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the attempt is not counted from 1 or was dispatched
   *     before it was ready
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
   * Begins the record of an attempt. To be said besides are its worker, how it ended and its times;
   * unless something else is said it took no time, moved and left nothing, and says nothing.
   *
   * @param task id of the task
   * @param type its type
   * @param attempt number of the attempt, from 1
   * @return a builder
   */
  public static Builder builder(String task, String type, int attempt) {
    return new Builder(task, type, attempt);
  }

  /**
   * The files of an attempt.
   *
   * @param inputs what it read, in the order of the task's inputs; empty when it did not get that
   *     far
   * @param outputs what it committed
   */
  public record Files(List<FileRecord> inputs, List<FileRecord> outputs) {

    /** Nothing is known of them. */
    public static final Files NONE = new Files(List.of(), List.of());

    /** Copies. */
    public Files {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * How long it waited for a worker.
   *
   * @return the time from ready to dispatched
   */
  public Duration waited() {
    return Duration.between(ready, dispatched);
  }

  /**
   * When its last phase ended.
   *
   * @return the moment
   */
  public Instant ended() {
    return dispatched.plus(phases.total());
  }

  /**
   * How long each phase took.
   *
   * @param stageInLocal reading inputs that lay on the worker's own node
   * @param stageInRemote reading inputs from other nodes
   * @param run the process itself
   * @param stageOut writing the outputs
   */
  public record Phases(
      Duration stageInLocal, Duration stageInRemote, Duration run, Duration stageOut) {

    /** No phase was reached. */
    public static final Phases NONE =
        new Phases(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when a phase takes less than no time
     */
    public Phases {
      if (stageInLocal.isNegative()
          || stageInRemote.isNegative()
          || run.isNegative()
          || stageOut.isNegative()) {
        throw new IllegalArgumentException(
            "A phase takes less than no time: stage-in local "
                + stageInLocal
                + ", remote "
                + stageInRemote
                + ", run "
                + run
                + ", stage-out "
                + stageOut);
      }
    }

    /**
     * All phases together.
     *
     * @return their sum
     */
    public Duration total() {
      return stageInLocal.plus(stageInRemote).plus(run).plus(stageOut);
    }
  }

  /**
   * How many bytes an attempt moved, as measured where they were read and written.
   *
   * @param inputLocal bytes read from the worker's own node
   * @param inputRemote bytes read from other nodes
   * @param output bytes of the outputs, each byte once
   * @param outputRemote bytes of their replicas on other nodes
   * @param inputCached bytes of inputs that the node had from an earlier task: nothing moved
   */
  public record Traffic(
      long inputLocal, long inputRemote, long output, long outputRemote, long inputCached) {

    /** Nothing moved. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /**
     * Of an attempt that found nothing on its node.
     *
     * @param inputLocal bytes read from the worker's own node
     * @param inputRemote bytes read from other nodes
     * @param output bytes of the outputs, each byte once
     * @param outputRemote bytes of their replicas on other nodes
     */
    public Traffic(long inputLocal, long inputRemote, long output, long outputRemote) {
      this(inputLocal, inputRemote, output, outputRemote, 0);
    }

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when a count is negative
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

    /**
     * Adds up.
     *
     * @param other what to add
     * @return the sum of both, count by count
     */
    public Traffic plus(Traffic other) {
      return new Traffic(
          inputLocal + other.inputLocal,
          inputRemote + other.inputRemote,
          output + other.output,
          outputRemote + other.outputRemote,
          inputCached + other.inputCached);
    }

    /**
     * Bytes of inputs that the worker's node had, in HDFS or from an earlier task.
     *
     * @return their number
     */
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
    private String message = "";

    private Builder(String task, String type, int attempt) {
      this.task = task;
      this.type = type;
      this.attempt = attempt;
    }

    /**
     * Sets where it ran.
     *
     * @param id of the worker
     * @param host name of the worker's node
     * @return this
     */
    public Builder worker(String id, String host) {
      worker = id;
      node = host;
      return this;
    }

    /**
     * Sets how it ended.
     *
     * @param value how
     * @param code what the process exited with; -1 when it did not get that far
     * @return this
     */
    public Builder outcome(Outcome value, int code) {
      outcome = value;
      exitCode = code;
      return this;
    }

    /**
     * Sets when it began.
     *
     * @param inputs when all its inputs were there
     * @param begin when a worker got it, not before that
     * @return this
     */
    public Builder times(Instant inputs, Instant begin) {
      ready = inputs;
      dispatched = begin;
      return this;
    }

    /**
     * Sets how long each phase took.
     *
     * @param value how long
     * @return this
     */
    public Builder phases(Phases value) {
      phases = value;
      return this;
    }

    /**
     * Sets how many bytes it moved.
     *
     * @param value how many
     * @return this
     */
    public Builder traffic(Traffic value) {
      traffic = value;
      return this;
    }

    /**
     * Sets what it read and wrote.
     *
     * @param inputs what it read, in the order of the task's inputs
     * @param outputs what it committed
     * @return this
     */
    public Builder files(List<FileRecord> inputs, List<FileRecord> outputs) {
      files = inputs.isEmpty() && outputs.isEmpty() ? Files.NONE : new Files(inputs, outputs);
      return this;
    }

    /**
     * Sets what its command took of the node.
     *
     * @param value what it took
     * @return this
     */
    public Builder effort(ResourceUse value) {
      effort = value;
      return this;
    }

    /**
     * Sets what it says of itself.
     *
     * @param line what it says, in one line; empty for nothing
     * @return this
     */
    public Builder message(String line) {
      message = line;
      return this;
    }

    /**
     * Builds it.
     *
     * @return the record
     * @throws IllegalArgumentException when the attempt is not counted from 1 or was dispatched
     *     before it was ready
     * @throws NullPointerException when worker, outcome or times were not said
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
          message);
    }
  }
}

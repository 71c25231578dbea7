package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

/**
 * One attempt at a task, as a worker is told to make it.
 *
 * @param task id of the task
 * @param attempt number of the attempt, from 1
 * @param label unique among all attempts at the same task; part of temporary names
 * @param command program and arguments
 * @param inputs what the sandbox holds before the command starts
 * @param outputs what is committed after it exits with 0
 * @param environment variables of the command beside the worker's own few
 * @param standIn whether the command is not run: a pause of {@code standInMillis} and outputs of
 *     the declared sizes take its place
 * @param standInMillis how long a stand-in pauses, in milliseconds
 * @param needs what the command needs of the worker while it runs
 * @param join whether the inputs are the regions of the one output, in order: they are joined in
 *     HDFS, and nothing is run
 * @param askAfterMillis an attempt that the worker has had for so long asks before it commits,
 *     because there may be another one: a second copy, or one on a worker that was given the task
 *     when this one was taken for lost; {@link #NEVER} when there can be none
 */
public record TaskOrder(
    String task,
    int attempt,
    String label,
    List<String> command,
    List<FileSlot> inputs,
    List<FileSlot> outputs,
    Map<String, String> environment,
    boolean standIn,
    long standInMillis,
    ResourceNeeds needs,
    boolean join,
    long askAfterMillis) {

  /** The attempt is the only one. */
  public static final long NEVER = -1;

  /** What an attempt without a copy is told: most are over before there might be one. */
  public static final long ASK_AFTER_MILLIS = 2_000;

  /** After so long without an answer a worker takes the link to its ApplicationMaster for cut. */
  public static final long LINK_TIMEOUT_MILLIS = 8_000;

  /**
   * What the names of a task's files may take in its order, in bytes: neither a worker nor the
   * ApplicationMaster has memory for much more.
   */
  public static final long MOST_NAME_BYTES = 32L << 20;

  /** About what an order says of a file beside its name and its path, in bytes. */
  private static final int BESIDE_NAME_BYTES = 80;

  /**
   * About what a file takes in an order, or in the report of an attempt.
   *
   * @param name its name in the sandbox
   * @param directory its name in HDFS is below this path
   * @return bytes
   */
  public static long nameBytes(String name, String directory) {
    return BESIDE_NAME_BYTES + directory.length() + 2L * name.getBytes(UTF_8).length;
  }

  /** Copies. */
  public TaskOrder {
    command = List.copyOf(command);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    environment = Map.copyOf(environment);
  }

  /**
   * An attempt that runs a command or a stand-in.
   *
   * @param task id of the task
   * @param attempt number of the attempt, from 1
   * @param label unique among all attempts at the same task
   * @param command program and arguments
   * @param inputs what the sandbox holds before the command starts
   * @param outputs what is committed after it exits with 0
   * @param environment variables of the command
   * @param standIn whether the command is not run
   * @param standInMillis how long a stand-in pauses, in milliseconds
   * @param needs what the command needs of the worker while it runs
   */
  public TaskOrder(
      String task,
      int attempt,
      String label,
      List<String> command,
      List<FileSlot> inputs,
      List<FileSlot> outputs,
      Map<String, String> environment,
      boolean standIn,
      long standInMillis,
      ResourceNeeds needs) {
    this(
        task,
        attempt,
        label,
        command,
        inputs,
        outputs,
        environment,
        standIn,
        standInMillis,
        needs,
        false,
        NEVER);
  }

  /**
   * The same attempt when there may be another one.
   *
   * @param millis when the worker has had it for so long it asks before it commits; 0 for always
   * @return the order
   */
  public TaskOrder asking(long millis) {
    return new TaskOrder(
        task,
        attempt,
        label,
        command,
        inputs,
        outputs,
        environment,
        standIn,
        standInMillis,
        needs,
        join,
        millis);
  }

  /**
   * The same attempt when the worker gets the order late: the time counts from when it was given.
   *
   * @param millis how long the order has waited and was on its way
   * @return the order
   */
  public TaskOrder late(long millis) {
    return askAfterMillis == NEVER || millis == 0
        ? this
        : asking(Math.max(0, askAfterMillis - millis));
  }

  /**
   * Whether it asks before it commits.
   *
   * @param heldMillis how long the worker has had it
   * @return whether
   */
  public boolean asks(long heldMillis) {
    return askAfterMillis != NEVER && heldMillis >= askAfterMillis;
  }
}

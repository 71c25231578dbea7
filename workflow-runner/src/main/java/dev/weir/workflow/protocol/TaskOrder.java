package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The order to a worker to start an attempt of a task.
 *
 * @param attempt number of the attempt, from 1
 * @param label unique among all attempts of the same task; part of temporary names
 * @param inputs files in the sandbox before the command starts
 * @param outputs files that are committed after it exits with 0
 * @param environment variables of the command, in addition to the worker's own
 * @param standIn whether the command is replaced by a pause of {@code standInMillis} and outputs of
 *     the declared sizes
 * @param standInMillis how long a stand-in pauses, in milliseconds
 * @param needs resources that the command needs
 * @param join whether the inputs are the regions of the one output, in order; they are joined in
 *     HDFS and no command is run
 * @param askAfterMillis an attempt that the worker has held for longer asks before it commits,
 *     because there may be another attempt: a speculative one, or one on another worker after this
 *     worker was taken for lost; {@link #NEVER} if there can be none
 * @param timeLimitMillis a command that runs longer is killed; 0 for no limit
 * @param container the image that the command runs in, the name of an input if it is a file;
 *     "{@value #NO_CONTAINER}" for none
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
    long askAfterMillis,
    long timeLimitMillis,
    String container) {

  /** The image of a command that runs in no container. */
  public static final String NO_CONTAINER = "";

  /** There can be no other attempt. */
  public static final long NEVER = -1;

  /** The value for an attempt without a second one. Most attempts end before there might be one. */
  public static final long ASK_AFTER_MILLIS = 2_000;

  /**
   * After this time without an answer, a worker assumes that the connection to its
   * ApplicationMaster is broken.
   */
  public static final long LINK_TIMEOUT_MILLIS = 8_000;

  /**
   * The most bytes of file names in a task's order. Neither a worker nor the ApplicationMaster has
   * memory for much more.
   */
  public static final long MAX_NAME_BYTES = 32L << 20;

  /** The approximate bytes of a file in an order besides its name and its path. */
  private static final int FIXED_BYTES_PER_FILE = 80;

  /**
   * Estimates the bytes of a file in an order or in a report.
   *
   * @param name its name in the sandbox
   * @param directory the HDFS directory below which it is
   */
  public static long nameBytes(String name, String directory) {
    return FIXED_BYTES_PER_FILE + directory.length() + 2L * name.getBytes(UTF_8).length;
  }

  public TaskOrder {
    command = List.copyOf(command);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    environment = Map.copyOf(environment);
  }

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
        NEVER,
        0,
        NO_CONTAINER);
  }

  /**
   * Returns a copy for an attempt that may have a rival.
   *
   * @param millis after the worker has held it for this time, it asks before it commits; 0 for
   *     always
   */
  public TaskOrder asking(long millis) {
    return with(millis, timeLimitMillis);
  }

  /**
   * Returns a copy whose command is killed when it runs longer.
   *
   * @param seconds the limit; 0 for none
   */
  public TaskOrder limited(long seconds) {
    return with(askAfterMillis, TimeUnit.SECONDS.toMillis(seconds));
  }

  public TaskOrder withOutputs(List<FileSlot> other) {
    return with(other, askAfterMillis, timeLimitMillis, container);
  }

  /**
   * Returns a copy whose command runs in a container.
   *
   * @param image the image; empty for none
   */
  public TaskOrder withContainer(String image) {
    return with(outputs, askAfterMillis, timeLimitMillis, image);
  }

  private TaskOrder with(long askAfter, long timeLimit) {
    return with(outputs, askAfter, timeLimit, container);
  }

  private TaskOrder with(List<FileSlot> written, long askAfter, long timeLimit, String image) {
    return new TaskOrder(
        task,
        attempt,
        label,
        command,
        inputs,
        written,
        environment,
        standIn,
        standInMillis,
        needs,
        join,
        askAfter,
        timeLimit,
        image);
  }

  /**
   * Returns a copy for an order that is delivered late. The time until it asks counts from the
   * assignment.
   *
   * @param millis how long the order has been delayed
   */
  public TaskOrder late(long millis) {
    return askAfterMillis == NEVER || millis == 0
        ? this
        : asking(Math.max(0, askAfterMillis - millis));
  }

  /**
   * Returns whether the attempt asks before it commits.
   *
   * @param heldMillis how long the worker has held it
   */
  public boolean asks(long heldMillis) {
    return askAfterMillis != NEVER && heldMillis >= askAfterMillis;
  }
}

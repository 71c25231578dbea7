package dev.weir.hints;

import org.jspecify.annotations.Nullable;

/**
 * The number of replicas and when they are made.
 *
 * @param target the final number of replicas, 1 to {@value #MAX_TARGET}, or {@link #FILES_OWN}
 * @param mode whether the write waits for all of them
 * @param auto the bounds of a number that follows the use of the file; null for a fixed number
 */
public record Replication(int target, Mode mode, @Nullable AutoRange auto) {
  /** The target that leaves the number to the file's own replication. */
  public static final int FILES_OWN = 0;

  /** The most replicas that a hint may ask for: HDFS' default limit. */
  public static final int MAX_TARGET = 512;

  /** When the replicas are made. */
  public enum Mode {
    /** All during the write. */
    EAGER,
    /** One during the write, the others in the background afterwards. */
    LAZY
  }

  /** Validates the number. */
  public Replication {
    if (target < 0) {
      throw new InvalidHintException(
          "replication of " + target + " is negative; write 1 to " + MAX_TARGET);
    }
    if (target > MAX_TARGET) {
      throw new InvalidHintException(
          "replication of " + target + " is too high; write 1 to " + MAX_TARGET);
    }
    if (auto != null && target != FILES_OWN) {
      throw new InvalidHintException(
          "replication of " + target + " and auto exclude each other; leave one of them out");
    }
  }

  /** A number that does not follow the use of the file. */
  public Replication(int target, Mode mode) {
    this(target, mode, null);
  }

  /** A number between bounds that follows the use of the file. The write makes the file's own. */
  public static Replication auto(AutoRange range) {
    return new Replication(FILES_OWN, Mode.EAGER, range);
  }

  /** The file's own number of replicas, one during the write, the others in the background. */
  public static Replication lazy() {
    return new Replication(FILES_OWN, Mode.LAZY);
  }

  /**
   * A number of replicas, all during the write.
   *
   * @param target 1 to {@value #MAX_TARGET}
   */
  public static Replication eager(int target) {
    return new Replication(target, Mode.EAGER);
  }

  /** The most replicas that the hint may give a file; {@link #FILES_OWN} for no number. */
  public int most() {
    return auto == null ? target : auto.max();
  }

  /** The fewest replicas of a file that follows its use; {@link #FILES_OWN} for no number. */
  public int least() {
    return auto == null ? FILES_OWN : auto.min();
  }

  /** Whether the hint asks for a number. */
  public boolean hasTarget() {
    return target != FILES_OWN;
  }
}

package dev.weir.hints;

/**
 * How many replicas, and when they are made.
 *
 * @param target replicas wanted in the end, 1 to {@value #MAX_TARGET}, or {@link #FILES_OWN}
 * @param mode whether the write waits for all of them
 */
public record Replication(int target, Mode mode) {
  /** The target that leaves the number to the file's own replication factor. */
  public static final int FILES_OWN = 0;

  /** The most replicas a hint may ask for: HDFS's own default limit. */
  public static final int MAX_TARGET = 512;

  /** When the replicas are made. */
  public enum Mode {
    /** All in the write itself. */
    EAGER,
    /** One in the write, the others afterwards in the background. */
    LAZY
  }

  /** Checks the number. */
  public Replication {
    if (target < 0) {
      throw new InvalidHintException(
          "replication of " + target + " is negative; write 1 to " + MAX_TARGET);
    }
    if (target > MAX_TARGET) {
      throw new InvalidHintException(
          "replication of " + target + " is too high; write 1 to " + MAX_TARGET);
    }
  }

  /** The file's own number of replicas, one in the write, the others in the background. */
  public static Replication lazy() {
    return new Replication(FILES_OWN, Mode.LAZY);
  }

  /**
   * This many replicas, all in the write.
   *
   * @param target 1 to {@value #MAX_TARGET}
   */
  public static Replication eager(int target) {
    return new Replication(target, Mode.EAGER);
  }

  /** Whether a number is asked for at all. */
  public boolean hasTarget() {
    return target != FILES_OWN;
  }
}

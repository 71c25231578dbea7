package dev.weir.hints;

/**
 * The number of replicas and when they are made.
 *
 * @param target the final number of replicas, 1 to {@value #MAX_TARGET}, or {@link #FILES_OWN}
 * @param mode whether the write waits for all of them
 */
public record Replication(int target, Mode mode) {
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

  /** Whether the hint asks for a number. */
  public boolean hasTarget() {
    return target != FILES_OWN;
  }
}

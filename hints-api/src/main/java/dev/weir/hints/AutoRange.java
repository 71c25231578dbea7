package dev.weir.hints;

/**
 * The bounds of a number of replicas that follows the use of a file.
 *
 * @param min the fewest replicas, or {@link Replication#FILES_OWN} for the number that the file's
 *     owner has set
 * @param max the most replicas, 1 to {@value Replication#MAX_TARGET}
 */
public record AutoRange(int min, int max) {
  /** The most replicas of a range that does not name them. */
  public static final int DEFAULT_MAX = 8;

  /** The bounds of a hint that names none: from the file's own number to {@link #DEFAULT_MAX}. */
  public static final AutoRange DEFAULT = new AutoRange(Replication.FILES_OWN, DEFAULT_MAX);

  /** Validates the bounds. */
  public AutoRange {
    if (min < 0 || max < 1 || max > Replication.MAX_TARGET) {
      throw new InvalidHintException(
          "auto replication of "
              + min
              + " to "
              + max
              + " is out of range; write 1 to "
              + Replication.MAX_TARGET);
    }
    if (min > max) {
      throw new InvalidHintException(
          "auto replication of "
              + min
              + " to "
              + max
              + " is empty; write the smaller number first, such as "
              + max
              + ".."
              + min);
    }
  }

  /** The short text, such as {@code 1..8}. Without a minimum, it begins with the dots. */
  @Override
  public String toString() {
    return (min == Replication.FILES_OWN ? "" : String.valueOf(min)) + ".." + max;
  }
}

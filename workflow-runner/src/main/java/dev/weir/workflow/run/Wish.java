package dev.weir.workflow.run;

import java.util.Locale;
import java.util.Optional;

/**
 * The names of the files by which the owner of a run steers it: a wish and the answer to it, in the
 * run's directory. Names of later wishes come after those of earlier ones.
 */
public final class Wish {

  /** What the names of wishes begin with. */
  public static final String PREFIX = "wish-";

  private static final String ANSWER = "answer-";
  private static final String SUFFIX = ".json";

  private Wish() {}

  /**
   * An id for a new wish.
   *
   * @param millis the time in milliseconds since the epoch
   * @param random tells it from others of the same moment
   * @return the id
   */
  public static String id(long millis, int random) {
    return String.format(Locale.ROOT, "%013d-%08x", millis, random);
  }

  /**
   * The file of a wish.
   *
   * @param id of the wish
   * @return its name
   */
  public static String file(String id) {
    return PREFIX + id + SUFFIX;
  }

  /**
   * The file of the answer to a wish.
   *
   * @param id of the wish
   * @return its name
   */
  public static String answer(String id) {
    return ANSWER + id + SUFFIX;
  }

  /**
   * The wish that a file holds.
   *
   * @param file name of the file
   * @return its id; nothing when it is another file
   */
  public static Optional<String> parse(String file) {
    return file.startsWith(PREFIX) && file.endsWith(SUFFIX)
        ? Optional.of(file.substring(PREFIX.length(), file.length() - SUFFIX.length()))
        : Optional.empty();
  }
}

package dev.weir.workflow.staging;

import dev.weir.workflow.scheduler.Steering;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;

/**
 * The names of the files by which the owner of a run steers it: a wish and the answer to it, in the
 * run's directory. Names of later wishes come after those of earlier ones.
 */
public final class SteeringRequest {

  /** What the names of wishes begin with. */
  public static final String PREFIX = "wish-";

  private static final String ANSWER = "answer-";
  private static final String SUFFIX = ".json";

  private SteeringRequest() {}

  /**
   * Leaves a wish to a run.
   *
   * @param directory of the run
   * @param what what is wanted
   * @param clock orders it among others
   * @return the id of the wish
   * @throws IOException when HDFS refuses
   */
  public static String leave(Staging directory, Steering what, Clock clock) throws IOException {
    // The number tells it from others of the same moment.
    String id =
        String.format(Locale.ROOT, "%013d-%08x", clock.millis(), new SecureRandom().nextInt());
    directory.writeJson(PREFIX + id + SUFFIX, what);
    return id;
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

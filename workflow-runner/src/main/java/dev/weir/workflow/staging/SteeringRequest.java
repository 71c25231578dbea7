package dev.weir.workflow.staging;

import dev.weir.workflow.scheduler.api.Steering;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;

/**
 * Names of the files by which the owner of a run steers it: a request and its answer, in the run's
 * directory. The names of requests sort by time.
 */
public final class SteeringRequest {

  public static final String PREFIX = "wish-";

  private static final String ANSWER = "answer-";
  private static final String SUFFIX = ".json";

  private SteeringRequest() {}

  /**
   * Writes a request for a run.
   *
   * @param clock orders requests
   * @return the id of the request
   */
  public static String write(Staging directory, Steering steering, Clock clock) throws IOException {
    // The random number distinguishes requests of the same millisecond.
    String id =
        String.format(Locale.ROOT, "%013d-%08x", clock.millis(), new SecureRandom().nextInt());
    directory.writeJson(PREFIX + id + SUFFIX, steering);
    return id;
  }

  public static String answer(String id) {
    return ANSWER + id + SUFFIX;
  }

  /**
   * Parses the name of a request.
   *
   * @return the id of the request; empty if the file is not a request
   */
  public static Optional<String> parse(String file) {
    return file.startsWith(PREFIX) && file.endsWith(SUFFIX)
        ? Optional.of(file.substring(PREFIX.length(), file.length() - SUFFIX.length()))
        : Optional.empty();
  }
}

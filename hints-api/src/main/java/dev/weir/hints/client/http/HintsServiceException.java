package dev.weir.hints.client.http;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hints service refused a call, could not do it, or did not answer. The message is one line for
 * people.
 */
public final class HintsServiceException extends IOException {
  /** The {@link #status} when no instance of the service gave an answer. */
  public static final int NO_ANSWER = 0;

  private static final long serialVersionUID = 1L;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final int status;
  private final String title;
  private final String detail;
  private final @Nullable String field;

  private HintsServiceException(
      String message, int status, String title, String detail, @Nullable String field) {
    super(message);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.field = field;
  }

  /**
   * The service answered with a problem.
   *
   * @param status the HTTP status
   * @param title what kind of problem, in a few words
   * @param detail what is wrong and what to do; may be empty
   * @param field the place in the request that is at fault: a JSON pointer, a query or a header
   */
  public static HintsServiceException answered(
      int status, String title, String detail, @Nullable String field) {
    String what = detail.isEmpty() ? "the service answered " + status + " " + title : detail;
    boolean named = field == null || field.isEmpty() || what.contains(field);
    return new HintsServiceException(
        oneLine(named ? what : field + ": " + what), status, title, detail, field);
  }

  /** No instance gave an answer that could be used. */
  public static HintsServiceException away(String detail, @Nullable Throwable cause) {
    HintsServiceException failure =
        new HintsServiceException(oneLine(detail), NO_ANSWER, "No answer", detail, null);
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }

  /** There is no service to ask: nobody has said where one is. */
  public static HintsServiceException unconfigured() {
    return away(
        ClientSettings.URL_KEY
            + " is not set: write http://HOST:9880 there in "
            + ClientSettings.SITE_FILE
            + ", or start a service with 'weir server'",
        null);
  }

  /** The HTTP status, or {@link #NO_ANSWER}. */
  public int status() {
    return status;
  }

  /** What kind of problem it is, in a few words. */
  public String title() {
    return title;
  }

  /** What is wrong and what to do; empty when the service said nothing. */
  public String detail() {
    return detail;
  }

  /** The place in the request that is at fault: a JSON pointer, a query name or a header name. */
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /** Whether the service is away or cannot serve now; the same call may succeed later. */
  public boolean isAway() {
    return status == NO_ANSWER || isAway(status);
  }

  static boolean isAway(int status) {
    return status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}

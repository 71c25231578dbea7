package dev.weir.hints.client.http;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hints service refused a call, failed to perform it, or did not answer. The message is a
 * single line for users.
 */
public final class HintsServiceException extends IOException {
  /** The {@link #status} if no instance answered. */
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
   * @param title the kind of problem
   * @param detail what is wrong and what to do; may be empty
   * @param field the faulty part of the request: a JSON pointer, query parameter or header
   */
  public static HintsServiceException answered(
      int status, String title, String detail, @Nullable String field) {
    String what = detail.isEmpty() ? "the service answered " + status + " " + title : detail;
    boolean named = field == null || field.isEmpty() || what.contains(field.replaceFirst("^/", ""));
    return new HintsServiceException(
        oneLine(named ? what : field + ": " + what), status, title, detail, field);
  }

  /** No instance gave a usable answer. */
  public static HintsServiceException away(String detail, @Nullable Throwable cause) {
    HintsServiceException failure =
        new HintsServiceException(oneLine(detail), NO_ANSWER, "No answer", detail, null);
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }

  /** No service is configured. */
  public static HintsServiceException unconfigured() {
    return away(
        ClientSettings.URL_KEY
            + " is not set: set it to http://HOST:9880 in "
            + ClientSettings.SITE_FILE
            + ", or start a service with 'weir server'",
        null);
  }

  /** The HTTP status, or {@link #NO_ANSWER}. */
  public int status() {
    return status;
  }

  /** The kind of problem. */
  public String title() {
    return title;
  }

  /** What is wrong and what to do; empty if the service did not say. */
  public String detail() {
    return detail;
  }

  /** The faulty part of the request: a JSON pointer, query parameter or header. */
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /** Whether the service is unavailable; the call may succeed later. */
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

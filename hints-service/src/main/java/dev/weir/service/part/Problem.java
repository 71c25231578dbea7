package dev.weir.service.part;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not answered as asked, as RFC 9457 has it.
 *
 * @param type {@code about:blank} when the status says it all, else {@code urn:weir:problem:NAME}
 * @param status the HTTP status, 400 to 599
 * @param title the same for all problems of the type
 * @param detail what is wrong, with the value, and what to write instead
 * @param field JSON pointer, or the name of the query parameter or header; null when it is none
 * @param allowed what may stand in the field; empty when there is no such list
 */
public record Problem(
    String type,
    int status,
    String title,
    String detail,
    @Nullable String field,
    List<String> allowed) {
  /** The type of a problem that its status says it all of. */
  public static final String BLANK = "about:blank";

  private static final String URN = "urn:weir:problem:";

  /** Checks the status and copies the list. */
  public Problem {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status " + status + " is no error's; use 400 to 599");
    }
    allowed = List.copyOf(allowed);
  }

  /** A problem that its status says it all of. */
  public static Problem of(int status, String title, String detail) {
    return new Problem(BLANK, status, title, detail, null, List.of());
  }

  /** Input that cannot be used: 400. */
  public static Problem invalid(String field, String detail) {
    return new Problem(URN + "invalid-input", 400, "Invalid input", detail, field, List.of());
  }

  /** Input that must be one of some values: 400. */
  public static Problem invalid(String field, String detail, List<String> allowed) {
    return new Problem(URN + "invalid-input", 400, "Invalid input", detail, field, allowed);
  }

  /** What the caller may not do: 403. */
  public static Problem forbidden(String detail) {
    return new Problem(URN + "not-permitted", 403, "Not permitted", detail, null, List.of());
  }

  /** What the caller may not say in that field: 403. */
  public static Problem forbidden(String field, String detail) {
    return new Problem(URN + "not-permitted", 403, "Not permitted", detail, field, List.of());
  }

  /** What goes beyond a limit of the administrators: 403. */
  public static Problem limit(String field, String detail) {
    return new Problem(
        URN + "limit-exceeded", 403, "Beyond a limit of the service", detail, field, List.of());
  }

  /** What is not there: 404. */
  public static Problem notFound(String detail) {
    return of(404, "Not found", detail);
  }

  /** What ZooKeeper or the NameNode is needed for while it is away: 503, to be tried again. */
  public static Problem unavailable(String detail) {
    return new Problem(
        URN + "unavailable", 503, "Temporarily unavailable", detail, null, List.of());
  }
}

package dev.weir.service.part;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason for an error response, as RFC 9457 defines it.
 *
 * @param type {@code about:blank} if the status is sufficient, otherwise {@code
 *     urn:weir:problem:NAME}
 * @param status the HTTP status, 400 to 599
 * @param title the same for all problems of the type
 * @param detail what is wrong, with the value, and what to write instead
 * @param field JSON pointer, or the name of the query parameter or header; null if there is none
 * @param allowed the allowed values of the field; empty if there is no such list
 */
public record Problem(
    String type,
    int status,
    String title,
    String detail,
    @Nullable String field,
    List<String> allowed) {
  /** The type of a problem that its status describes. */
  public static final String BLANK = "about:blank";

  private static final String URN = "urn:weir:problem:";

  /** Checks the status and copies the list. */
  public Problem {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status " + status + " is not an error; use 400 to 599");
    }
    allowed = List.copyOf(allowed);
  }

  public static Problem of(int status, String title, String detail) {
    return new Problem(BLANK, status, title, detail, null, List.of());
  }

  /** Input that is invalid: 400. */
  public static Problem invalid(String field, String detail) {
    return new Problem(URN + "invalid-input", 400, "Invalid input", detail, field, List.of());
  }

  /** Input that must be one of some values: 400. */
  public static Problem invalid(String field, String detail, List<String> allowed) {
    return new Problem(URN + "invalid-input", 400, "Invalid input", detail, field, allowed);
  }

  /** An action that the caller lacks the permission for: 403. */
  public static Problem forbidden(String detail) {
    return new Problem(URN + "not-permitted", 403, "Not permitted", detail, null, List.of());
  }

  /** A value of a field that the caller lacks the permission for: 403. */
  public static Problem forbidden(String field, String detail) {
    return new Problem(URN + "not-permitted", 403, "Not permitted", detail, field, List.of());
  }

  /** A value beyond a limit of the administrators: 403. */
  public static Problem limit(String field, String detail) {
    return new Problem(
        URN + "limit-exceeded", 403, "Beyond a limit of the service", detail, field, List.of());
  }

  /** A set for which there is no room: 507. */
  public static Problem noRoom(String detail) {
    return new Problem(URN + "no-room", 507, "No room for the hints", detail, "/rules", List.of());
  }

  /** A resource that does not exist: 404. */
  public static Problem notFound(String detail) {
    return of(404, "Not found", detail);
  }

  /** ZooKeeper or the NameNode is needed and not available: 503. The client should retry. */
  public static Problem unavailable(String detail) {
    return new Problem(
        URN + "unavailable", 503, "Temporarily unavailable", detail, null, List.of());
  }
}

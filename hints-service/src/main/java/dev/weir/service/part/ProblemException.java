package dev.weir.service.part;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String URN = "urn:weir:problem:";

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  public static ProblemException of(int status, String title, String detail) {
    return of(status, title, detail, null);
  }

  /** A problem of a field that its status describes. */
  public static ProblemException of(
      int status, String title, String detail, @Nullable String field) {
    return of(Problem.BLANK, status, title, detail, field);
  }

  /** Input that is invalid: 400. */
  public static ProblemException invalid(String field, String detail) {
    return invalid(field, detail, List.of());
  }

  /** Input that must be one of some values: 400. */
  public static ProblemException invalid(String field, String detail, List<String> allowed) {
    return new ProblemException(
        new Problem(URN + "invalid-input", 400, "Invalid input", detail, field, allowed));
  }

  /** An action that the caller lacks the permission for: 403. */
  public static ProblemException forbidden(String detail) {
    return of(URN + "not-permitted", 403, "Not permitted", detail, null);
  }

  /** A value of a field that the caller lacks the permission for: 403. */
  public static ProblemException forbidden(String field, String detail) {
    return of(URN + "not-permitted", 403, "Not permitted", detail, field);
  }

  /** A value beyond a limit of the administrators: 403. */
  public static ProblemException limit(String field, String detail) {
    return of(URN + "limit-exceeded", 403, "Beyond a limit of the service", detail, field);
  }

  /** A set for which there is no room: 507. */
  public static ProblemException noRoom(String detail) {
    return of(URN + "no-room", 507, "No room for the hints", detail, "/rules");
  }

  /** A resource that does not exist: 404. */
  public static ProblemException notFound(String detail) {
    return of(404, "Not found", detail);
  }

  /** ZooKeeper or the NameNode is needed and not available: 503. The client should retry. */
  public static ProblemException unavailable(String detail) {
    return of(URN + "unavailable", 503, "Temporarily unavailable", detail, null);
  }

  private static ProblemException of(
      String type, int status, String title, String detail, @Nullable String field) {
    return new ProblemException(new Problem(type, status, title, detail, field, List.of()));
  }

  /** Adds the failure below the request that caused it. */
  public ProblemException because(Throwable cause) {
    initCause(cause);
    return this;
  }

  public Problem problem() {
    return problem;
  }
}

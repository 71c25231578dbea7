package dev.weir.service.part;

/** Ends a request with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /** Creates an exception for a fault of the request itself. */
  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** Creates an exception for a failure below the request. */
  public ProblemException(Problem problem, Throwable cause) {
    super(problem.detail(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}

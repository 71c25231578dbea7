package dev.weir.service.part;

/** Ends a request with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /** For a fault of the request itself. */
  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** For what something below threw. */
  public ProblemException(Problem problem, Throwable cause) {
    super(problem.detail(), cause);
    this.problem = problem;
  }

  /** What the caller is told. */
  public Problem problem() {
    return problem;
  }
}

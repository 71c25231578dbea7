package dev.weir.cli.common;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.jobs.JobException;

/** What the commands end with. */
public final class ExitCode {
  /** It is done. */
  public static final int DONE = 0;

  /** It failed. */
  public static final int FAILED = 1;

  /** What was asked for cannot be understood. */
  public static final int WRONG_USAGE = 2;

  /** What was asked for is not there. */
  public static final int NOT_FOUND = 3;

  /** The user may not do it, or has no ticket. */
  public static final int REFUSED = 4;

  /** The service, or the ApplicationMaster of a run, does not answer, or none is configured. */
  public static final int AWAY = 5;

  /** A job did not run to its end; codes below may be those of its command. */
  public static final int NOT_RUN = 125;

  private ExitCode() {}

  /** The code for a failure. */
  public static int of(Throwable failure) {
    if (failure instanceof HintsServiceException answered) {
      return answered.isAway() ? AWAY : ofStatus(answered.status());
    }
    if (failure instanceof SteeringException steering) {
      return ofKind(steering.kind());
    }
    if (failure instanceof NotRunException) {
      return NOT_RUN;
    }
    if (failure instanceof JobException refused) {
      return ofStatus(refused.status());
    }
    return failure instanceof InvalidHintException ? WRONG_USAGE : FAILED;
  }

  private static int ofKind(SteeringException.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> NOT_FOUND;
      case REFUSED -> REFUSED;
      case AWAY -> AWAY;
      case IMPOSSIBLE -> FAILED;
    };
  }

  private static int ofStatus(int status) {
    return switch (status) {
      case 400, 413, 415, 422 -> WRONG_USAGE;
      case 401, 403 -> REFUSED;
      case 404 -> NOT_FOUND;
      default -> FAILED;
    };
  }
}

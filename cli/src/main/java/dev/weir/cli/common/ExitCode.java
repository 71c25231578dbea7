package dev.weir.cli.common;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.jobs.JobException;

/** The exit codes of the commands. */
public final class ExitCode {
  public static final int DONE = 0;

  public static final int FAILED = 1;

  public static final int WRONG_USAGE = 2;

  /** The requested object does not exist. */
  public static final int NOT_FOUND = 3;

  /** The user lacks permission or a Kerberos ticket. */
  public static final int REFUSED = 4;

  /** The hints service or the ApplicationMaster does not answer, or none is configured. */
  public static final int AWAY = 5;

  /** A job did not run to its end. Lower codes may be those of its command. */
  public static final int NOT_RUN = 125;

  private ExitCode() {}

  /** Returns the exit code for an exception. */
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
      case NO_ANSWER -> AWAY;
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

package dev.weir.service.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.function.Predicate;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.JdbiException;

/** Classifies failures of databases by the SQL states of H2 and PostgreSQL. */
public final class SqlFailures {
  private static final String QUERY_CANCELED = "57014";
  private static final String UNIQUE_VIOLATION = "23505";

  private SqlFailures() {}

  /** Returns whether the connection broke, or none was available. */
  static boolean isLost(Throwable failure) {
    return any(
        failure,
        sql -> {
          String state = String.valueOf(sql.getSQLState());
          return sql instanceof SQLTransientConnectionException
              || state.startsWith("08")
              || state.startsWith("57P")
              || state.startsWith("90098")
              || state.startsWith("90121");
        });
  }

  /** Returns whether a retry may succeed: also for overloaded servers and lost races. */
  static boolean isTransient(Throwable failure) {
    return isLost(failure)
        || any(
            failure,
            sql -> {
              String state = String.valueOf(sql.getSQLState());
              return sql instanceof SQLTransientException
                  || state.startsWith("53")
                  || state.startsWith("40");
            });
  }

  /** Returns whether a statement was cancelled because it took too long. */
  static boolean isTooSlow(Throwable failure) {
    return any(failure, sql -> QUERY_CANCELED.equals(sql.getSQLState()));
  }

  /** Returns whether a concurrent transaction has inserted the same key. */
  public static boolean isDuplicate(Throwable failure) {
    return any(failure, sql -> UNIQUE_VIOLATION.equals(sql.getSQLState()));
  }

  private static boolean any(Throwable failure, Predicate<SQLException> wanted) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && wanted.test(sql)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the message of the database, on one line. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof SQLException)
        && (cause instanceof FlywayException
            || cause instanceof JdbiException
            || cause instanceof RuntimeException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ");
  }
}

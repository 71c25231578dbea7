package dev.weir.service.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jdbi.v3.core.argument.Argument;
import org.jspecify.annotations.Nullable;

/** Reads and writes instants in a database, independent of time zones and daylight saving time. */
public final class SqlTimestamps {
  private SqlTimestamps() {}

  public static Argument of(@Nullable Instant instant) {
    return (position, statement, context) -> {
      if (instant == null) {
        statement.setNull(position, Types.TIMESTAMP_WITH_TIMEZONE);
      } else {
        statement.setObject(position, instant.atOffset(ZoneOffset.UTC));
      }
    };
  }

  public static Instant read(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public static @Nullable Instant readOptional(ResultSet row, String column) throws SQLException {
    OffsetDateTime instant = row.getObject(column, OffsetDateTime.class);
    return instant == null ? null : instant.toInstant();
  }
}

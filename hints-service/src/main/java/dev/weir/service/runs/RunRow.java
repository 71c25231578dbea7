package dev.weir.service.runs;

import dev.weir.service.database.SqlTimestamps;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPhase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * A row of the table of runs.
 *
 * @param number its primary key
 * @param head the other properties, without the owner
 * @param lastReport the time of the last report
 */
record RunRow(long number, String id, String owner, RunHead head, Instant lastReport) {
  /** The columns that {@link #read} needs. */
  static final String COLUMNS =
      "runs.run_no, runs.run_id, runs.owner, runs.workflow, runs.mode, runs.state, runs.data_dir,"
          + " runs.stand_in, runs.started, runs.ended, runs.failure, runs.heard";

  static RunRow read(ResultSet row, StatementContext unused) throws SQLException {
    return new RunRow(
        row.getLong("run_no"),
        text(row, "run_id"),
        text(row, "owner"),
        new RunHead(
            text(row, "workflow"),
            text(row, "mode"),
            RunPhase.valueOf(text(row, "state")),
            text(row, "data_dir"),
            row.getBoolean("stand_in"),
            SqlTimestamps.read(row, "started"),
            SqlTimestamps.readOptional(row, "ended"),
            row.getString("failure"),
            null),
        SqlTimestamps.read(row, "heard"));
  }

  static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getString(column), column);
  }
}

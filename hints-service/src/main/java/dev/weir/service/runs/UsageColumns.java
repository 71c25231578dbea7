package dev.weir.service.runs;

import dev.weir.workflow.protocol.Effort;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What commands took of their nodes, as rows of the table of attempts have it. */
final class UsageColumns {
  private UsageColumns() {}

  /** Null where nobody looked in time: an average of zeros would say something. */
  static @Nullable Long memory(Effort effort) {
    return effort.peakMemoryBytes() == 0 ? null : effort.peakMemoryBytes();
  }

  /** What {@code cpu_ms} and {@code peak_memory_bytes} of a row say; null for nothing. */
  static @Nullable Effort read(ResultSet row) throws SQLException {
    long cpuMillis = row.getLong("cpu_ms");
    return row.wasNull() ? null : new Effort(cpuMillis, row.getLong("peak_memory_bytes"));
  }
}

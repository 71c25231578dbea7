package dev.weir.service.runs;

import dev.weir.workflow.record.ResourceUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Maps the resource usage of commands to columns of the table of attempts. */
final class UsageColumns {
  private UsageColumns() {}

  /** Returns null if the memory was not measured in time, because zeros would distort averages. */
  static @Nullable Long memory(ResourceUse effort) {
    return effort.peakMemoryBytes() == 0 ? null : effort.peakMemoryBytes();
  }

  /** Reads {@code cpu_ms} and {@code peak_memory_bytes} of a row; null if they are null. */
  static @Nullable ResourceUse read(ResultSet row) throws SQLException {
    long cpuMillis = row.getLong("cpu_ms");
    return row.wasNull() ? null : new ResourceUse(cpuMillis, row.getLong("peak_memory_bytes"));
  }
}

package dev.weir.service.runs;

import org.jdbi.v3.core.Handle;

/**
 * The totals of a run's attempts.
 *
 * @param tasks the number of known tasks
 * @param done how many of them have succeeded
 * @param attempts the number of attempts that have ended
 * @param inputLocal bytes read from the attempts' own nodes
 * @param inputRemote bytes read from other nodes
 * @param output bytes written
 * @param cpuMillis the measured processor time of their commands, in milliseconds
 * @param peakMemory the highest memory usage of one of them, in bytes; 0 if not measured
 */
record AttemptTotals(
    long tasks,
    long done,
    long attempts,
    long inputLocal,
    long inputRemote,
    long output,
    long cpuMillis,
    long peakMemory) {

  static AttemptTotals read(Handle handle, long run) {
    return handle
        .createQuery(
            """
            SELECT (SELECT COUNT(*) FROM tasks WHERE run_no = :run) AS tasks,
              COUNT(DISTINCT CASE WHEN outcome = 'SUCCEEDED' THEN task_key END) AS done,
              COUNT(*) AS attempts,
              COALESCE(SUM(input_bytes_local), 0) AS input_local,
              COALESCE(SUM(input_bytes_remote), 0) AS input_remote,
              COALESCE(SUM(output_bytes), 0) AS output,
              COALESCE(SUM(cpu_ms), 0) AS cpu,
              COALESCE(MAX(peak_memory_bytes), 0) AS memory
            FROM attempts WHERE run_no = :run
            """)
        .bind("run", run)
        .map(
            (row, context) ->
                new AttemptTotals(
                    row.getLong("tasks"),
                    row.getLong("done"),
                    row.getLong("attempts"),
                    row.getLong("input_local"),
                    row.getLong("input_remote"),
                    row.getLong("output"),
                    row.getLong("cpu"),
                    row.getLong("memory")))
        .one();
  }
}

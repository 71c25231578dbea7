package dev.weir.service.runs;

import org.jdbi.v3.core.Handle;

/**
 * What the attempts of a run come to.
 *
 * @param tasks how many tasks are known
 * @param done how many of them have succeeded
 * @param attempts how many attempts have ended
 * @param inputLocal bytes that they read from their own nodes
 * @param inputRemote bytes that they read from other nodes
 * @param output bytes of what they wrote
 */
record RunSums(
    long tasks, long done, long attempts, long inputLocal, long inputRemote, long output) {

  static RunSums read(Handle handle, long run) {
    return handle
        .createQuery(
            """
            SELECT (SELECT COUNT(*) FROM tasks WHERE run_no = :run) AS tasks,
              COUNT(DISTINCT CASE WHEN outcome = 'SUCCEEDED' THEN task_key END) AS done,
              COUNT(*) AS attempts,
              COALESCE(SUM(input_bytes_local), 0) AS input_local,
              COALESCE(SUM(input_bytes_remote), 0) AS input_remote,
              COALESCE(SUM(output_bytes), 0) AS output
            FROM attempts WHERE run_no = :run
            """)
        .bind("run", run)
        .map(
            (row, context) ->
                new RunSums(
                    row.getLong("tasks"),
                    row.getLong("done"),
                    row.getLong("attempts"),
                    row.getLong("input_local"),
                    row.getLong("input_remote"),
                    row.getLong("output")))
        .one();
  }
}

package dev.weir.bench.series;

import java.time.Instant;

/**
 * The measurements of a run beside its record.
 *
 * @param session the session that made it, from 1
 * @param begun the start of the upload of its inputs
 * @param usage the resources that it used
 * @param steps the duration of its steps
 * @param replicas of the file that most tasks read; 0 if not known
 */
public record RunNotes(int session, Instant begun, RunUsage usage, RunSteps steps, int replicas) {
  /** Creates notes without knowledge of files. */
  public RunNotes(int session, Instant begun, RunUsage usage, RunSteps steps) {
    this(session, begun, usage, steps, 0);
  }

  /** Returns the share of one of a run's repetitions. */
  public RunNotes share(int repetitions) {
    return repetitions == 1
        ? this
        : new RunNotes(
            session, begun, usage.share(repetitions), steps.share(repetitions), replicas);
  }
}

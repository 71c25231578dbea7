package dev.weir.bench.series;

import java.time.Instant;

/**
 * The measurements of a run beside its record.
 *
 * @param session the session that made it, from 1
 * @param begun the start of the upload of its inputs
 * @param usage the resources that it used
 * @param steps the duration of its steps
 */
public record RunNotes(int session, Instant begun, RunUsage usage, RunSteps steps) {
  public RunNotes share(int repetitions) {
    return repetitions == 1
        ? this
        : new RunNotes(session, begun, usage.share(repetitions), steps.share(repetitions));
  }
}

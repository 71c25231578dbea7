package dev.weir.bench.series;

import java.time.Instant;

/**
 * What is kept of a run beside its record.
 *
 * @param session in which it was made, from 1
 * @param begun when its inputs were begun to be brought
 * @param usage what it used beside time
 * @param steps what it took of the machine's time
 * @param replicas how many the file had that most tasks read; 0 where that is not known
 */
public record RunNotes(int session, Instant begun, RunUsage usage, RunSteps steps, int replicas) {
  /** Of a run of whose files nothing is known. */
  public RunNotes(int session, Instant begun, RunUsage usage, RunSteps steps) {
    this(session, begun, usage, steps, 0);
  }

  /** The part of one of so many repetitions that a run had. */
  public RunNotes share(int repetitions) {
    return repetitions == 1
        ? this
        : new RunNotes(
            session, begun, usage.share(repetitions), steps.share(repetitions), replicas);
  }
}

package dev.weir.bench.series;

import java.time.Instant;

/**
 * What is kept of a run beside its record.
 *
 * @param session in which it was made, from 1
 * @param begun when its inputs were begun to be brought
 * @param usage what it used beside time
 * @param steps what it took of the machine's time
 */
public record Notes(int session, Instant begun, Usage usage, Steps steps) {
  /** The part of one of so many repetitions that a run had. */
  Notes share(int repetitions) {
    return repetitions == 1
        ? this
        : new Notes(session, begun, usage.share(repetitions), steps.share(repetitions));
  }
}

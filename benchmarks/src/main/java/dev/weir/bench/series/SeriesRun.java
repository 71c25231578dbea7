package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;
import java.util.Optional;

/** A run that a series has. */
public interface SeriesRun {
  PlannedRun id();

  /** Returns the session that made it, from 1. */
  int session();

  /** Returns the record of the workflow; empty if the run is none of a workflow. */
  default Optional<RunRecord> timeline() {
    return Optional.empty();
  }
}

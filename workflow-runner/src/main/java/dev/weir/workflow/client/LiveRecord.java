package dev.weir.workflow.client;

import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The record of a run that has written none, as its journal has it. For one use. */
final class LiveRecord {

  private static final long MOST_BYTES = 256L << 20;

  private final RunSummary summary;
  private final Map<String, Task> tasks = new HashMap<>();
  private final RunRecorder recorder;

  LiveRecord(RunPlan plan, RunSummary summary) {
    this.summary = summary;
    plan.workflow().tasks().forEach(task -> tasks.put(task.id(), task));
    this.recorder = new RunRecorder(Instant.parse(summary.submitted()).toEpochMilli(), tasks::get);
  }

  /** Reads the journal of the run's session, as far as it is written. */
  RunRecord read(FileSystem fs, Path journals, RunState state, long nowMillis) throws IOException {
    new JournalReader(fs, journals, ReadBudget.ofBytes(MOST_BYTES))
        .readLeniently(line -> add(line.record()));
    return recorder.build(
        new RunRecorder.Name(summary.id(), summary.workflow(), summary.mode()), state, nowMillis);
  }

  /** Adds a record of the journal, unless it is about another run or an unknown task. */
  void add(DispatchRecord scoped) {
    if (!scoped.graph().equals(summary.id())) {
      return;
    }
    DispatchRecord record = ScopedRecords.unscoped(scoped);
    boolean unknown =
        record instanceof DispatchRecord.AttemptEnded ended
            && !tasks.containsKey(ended.report().task());
    if (!unknown) {
      recorder.replay(record);
    }
  }
}

package dev.weir.workflow.journal;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.MemoryExceeded;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.ScopedId;
import java.util.List;
import java.util.function.UnaryOperator;

/** Translates the ids in records of a session's journal and in reports of its workers. */
public final class ScopedRecords {

  private ScopedRecords() {}

  /** Returns the record as a run's own history keeps it, with the ids of the workflow. */
  public static DispatchRecord unscoped(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      return ended.with(renamed(ended.report(), ScopedId::id, ScopedId::id));
    } else if (record instanceof TakenOver taken) {
      return new TakenOver(
          ScopedId.id(taken.task()),
          taken.run(),
          taken.firstTry(),
          taken.outputs().stream().map(file -> file.named(ScopedId.id(file.name()))).toList());
    } else if (record instanceof MemoryExceeded exceeded) {
      return new MemoryExceeded(
          exceeded.worker(),
          ScopedId.id(exceeded.task()),
          exceeded.alone(),
          exceeded.message(),
          exceeded.millis());
    }
    return record;
  }

  public static TaskReport renamed(
      TaskReport report, UnaryOperator<String> task, UnaryOperator<String> file) {
    List<StoredFile> stored =
        report.outputs().stream().map(output -> output.named(file.apply(output.name()))).toList();
    List<ReadFile> read =
        report.inputs().stream().map(input -> input.named(file.apply(input.name()))).toList();
    return new TaskReport(
        task.apply(report.task()),
        report.attempt(),
        report.result(),
        report.exitCode(),
        report.message(),
        report.outputTail(),
        report.lostInputs().stream().map(file).toList(),
        stored,
        report.usage(),
        read,
        report.effort());
  }
}

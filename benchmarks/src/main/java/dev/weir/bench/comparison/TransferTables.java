package dev.weir.bench.comparison;

import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.Setup;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Writes the seconds of transfers and of commands, of all tasks together. */
final class TransferTables {
  private TransferTables() {}

  /**
   * The seconds of a run.
   *
   * @param widest type of the task with the most inputs
   * @param widestStageIn the stage-in of that task
   */
  record PhaseSeconds(
      double stageIn, double command, double stageOut, String widest, double widestStageIn) {

    static PhaseSeconds of(RecordedRun run) {
      List<TaskRecord> tasks = CountedTasks.of(run.record()).done();
      TaskRecord widest =
          tasks.stream()
              .max(Comparator.comparingInt(task -> task.files().inputs().size()))
              .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
      return new PhaseSeconds(
          sum(tasks, PhaseSeconds::stageInOf),
          sum(tasks, TaskRecord.Phases::run),
          sum(tasks, TaskRecord.Phases::stageOut),
          widest.type(),
          seconds(stageInOf(widest.phases())));
    }

    private static Duration stageInOf(TaskRecord.Phases phases) {
      return phases.stageInLocal().plus(phases.stageInRemote());
    }

    private static double sum(
        List<TaskRecord> tasks, Function<TaskRecord.Phases, Duration> duration) {
      return tasks.stream().mapToDouble(task -> seconds(duration.apply(task.phases()))).sum();
    }

    private static double seconds(Duration duration) {
      return duration.toNanos() / 1e9;
    }
  }

  /**
   * Returns the means of each subject's setups.
   *
   * @param runs by subject
   */
  static String markdown(Map<String, List<RecordedRun>> runs) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "all tasks together, mean s",
                "setup",
                "stage-in",
                "commands",
                "stage-out",
                "stage-in of the task with most inputs"));
    runs.forEach(
        (subject, all) ->
            all.stream()
                .map(run -> Setup.ofLabel(run.id().setup()))
                .distinct()
                .sorted(Setup.ORDER)
                .forEach(setup -> table.row(row(subject, setup, all))));
    return table.toString();
  }

  private static List<String> row(String subject, Setup setup, List<RecordedRun> runs) {
    List<PhaseSeconds> all =
        runs.stream()
            .filter(run -> Setup.ofLabel(run.id().setup()).equals(setup))
            .map(PhaseSeconds::of)
            .toList();
    return List.of(
        subject,
        setup.label(),
        mean(all, PhaseSeconds::stageIn),
        mean(all, PhaseSeconds::command),
        mean(all, PhaseSeconds::stageOut),
        mean(all, PhaseSeconds::widestStageIn) + " (" + all.get(0).widest() + ")");
  }

  private static String mean(List<PhaseSeconds> all, ToDoubleFunction<PhaseSeconds> seconds) {
    return String.format(
        Locale.ROOT, "%.2f", all.stream().mapToDouble(seconds).average().orElse(0));
  }
}

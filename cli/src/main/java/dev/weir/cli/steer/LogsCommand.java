package dev.weir.cli.steer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.RunLogs;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.RunProgress;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "logs",
    description = {
      "Prints the end of what a task's command wrote, or lists the tasks of a run.",
      "It prints the last 64 KB of the last attempt that has printed something."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir logs last",
      "  weir logs last mAdd_3",
      "  weir logs last mAdd_3 --attempt 1 --stdout",
      "",
      RunsBase.CODES
    })
public final class LogsCommand extends RunsBase {
  private static final double MILLIS = 1_000;
  private static final String RUNNING = "RUNNING";

  private final Clock clock = Clock.systemUTC();

  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK",
      description = "Id of the task (default: list the tasks).")
  private @Nullable String task;

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "Number of the attempt (default: the last one that is kept).")
  private @Nullable Integer attempt;

  @ArgGroup private Which which = new Which();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** The choice between the two streams. */
  static final class Which {
    @Option(names = "--stderr", description = "Print standard error only.")
    private boolean stderr;

    @Option(names = "--stdout", description = "Print standard output only.")
    private boolean stdout;

    Set<KeptLog.Stream> streams() {
      if (stdout == stderr) {
        return EnumSet.allOf(KeptLog.Stream.class);
      }
      return EnumSet.of(stdout ? KeptLog.Stream.STDOUT : KeptLog.Stream.STDERR);
    }
  }

  @Override
  void requireUsable() {
    if (attempt != null && attempt < 1) {
      throw unusable("--attempt " + attempt + ": attempts are counted from 1");
    }
  }

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    KnownRun run = runs.find(name);
    if (task == null) {
      list(run);
      return ExitCode.DONE;
    }
    OptionalInt number = attempt == null ? OptionalInt.empty() : OptionalInt.of(attempt);
    List<RunLogs.Text> found = run.logs().read(new RunLogs.Request(task, number, which.streams()));
    if (json) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      for (RunLogs.Text text : found) {
        all.addObject()
            .put("task", text.log().task())
            .put("attempt", text.log().attempt())
            .put("stream", text.log().stream().label())
            .put("text", text.text());
      }
      out().println(Json.pretty(all));
      return ExitCode.DONE;
    }
    for (RunLogs.Text text : found) {
      if (found.size() > 1) {
        out().println("==> " + text.log().stream().label() + " <==");
      }
      out().print(text.text());
      if (found.size() > 1 && !text.text().endsWith("\n")) {
        out().println();
      }
    }
    return ExitCode.DONE;
  }

  private void list(KnownRun run) throws IOException {
    Optional<RunRecord> ended = run.record();
    RunRecord record = ended.isPresent() ? ended.get() : run.recordSoFar();
    Table table = new Table("TASK", "TYPE", "ATTEMPT#", "OUTCOME", "EXIT#", "NODE", "RAN#");
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    record.tasks().forEach(each -> add(each, table, all));
    RunView view = run.view();
    running(view).forEach(each -> add(each, table, all));
    if (json) {
      out().println(Json.pretty(all));
      return;
    }
    out().print(table);
    int reused = record.reused().size();
    printCount(reused, "taken over from earlier runs");
    long listed =
        Stream.concat(
                record.tasks().stream().map(TaskRecord::task),
                running(view).stream().map(Progress.Running::task))
            .distinct()
            .count();
    printCount(view.summary().tasks() - reused - (int) listed, "without an attempt");
  }

  private static void add(TaskRecord ended, Table table, ArrayNode all) {
    table.row(
        ended.task(),
        ended.type(),
        ended.attempt(),
        ended.outcome(),
        ended.exitCode() < 0 ? "" : Integer.toString(ended.exitCode()),
        ended.node(),
        Times.passed(ended.phases().run()));
    all.addObject()
        .put("task", ended.task())
        .put("type", ended.type())
        .put("attempt", ended.attempt())
        .put("outcome", ended.outcome().name())
        .put("exit-code", ended.exitCode())
        .put("node", ended.node())
        .put("run-seconds", ended.phases().run().toMillis() / MILLIS);
  }

  private void add(Progress.Running running, Table table, ArrayNode all) {
    Duration ran = Duration.ofMillis(clock.millis() - running.sinceMillis());
    table.row(
        running.task(), "", running.attempt(), RUNNING, "", running.node(), Times.passed(ran));
    all.addObject()
        .put("task", running.task())
        .put("attempt", running.attempt())
        .put("outcome", RUNNING)
        .put("node", running.node())
        .put("run-seconds", ran.toMillis() / MILLIS);
  }

  private void printCount(int tasks, String what) {
    if (tasks > 0) {
      out().println("and " + tasks + (tasks == 1 ? " task " : " tasks ") + what);
    }
  }

  private static List<Progress.Running> running(RunView view) {
    RunProgress progress = view.progress();
    return progress == null || view.stage().isEnd() ? List.of() : progress.details().running();
  }
}

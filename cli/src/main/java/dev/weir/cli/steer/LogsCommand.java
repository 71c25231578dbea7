package dev.weir.cli.steer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.workflow.client.RunLogs;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.IOException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir logs}. */
@Command(
    name = "logs",
    description = {
      "Prints the end of what a task's command wrote.",
      "It prints the last 64 KB. Output of failed attempts is kept after the run,"
          + " that of others is not."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir logs last mAdd_3",
      "  weir logs last mAdd_3 --attempt 1 --stdout",
      "",
      RunsBase.CODES
    })
public final class LogsCommand extends RunsBase {
  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(index = "1", paramLabel = "TASK", description = "Id of the task.")
  private String task;

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
    @Option(names = "--stderr", description = "Print standard error (default).")
    private boolean stderr;

    @Option(names = "--stdout", description = "Print standard output.")
    private boolean stdout;

    Stream stream() {
      return stdout && !stderr ? Stream.STDOUT : Stream.STDERR;
    }
  }

  /** For picocli. */
  public LogsCommand() {}

  @Override
  void requireUsable() {
    if (attempt != null && attempt < 1) {
      throw unusable("--attempt " + attempt + ": attempts are counted from 1");
    }
  }

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    OptionalInt number = attempt == null ? OptionalInt.empty() : OptionalInt.of(attempt);
    RunLogs.Text found =
        runs.find(name).logs().read(new RunLogs.Request(task, number, which.stream()));
    if (json) {
      out()
          .println(
              Json.pretty(
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("task", found.log().task())
                      .put("attempt", found.log().attempt())
                      .put("stream", found.log().stream().label())
                      .put("text", found.text())));
    } else {
      out().print(found.text());
    }
    return ExitCode.DONE;
  }
}

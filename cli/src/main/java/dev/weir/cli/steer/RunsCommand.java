package dev.weir.cli.steer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.client.Runs;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "runs",
    description = {
      "Lists your runs, the newest first.",
      "It lists live runs and recently ended ones, also those started on other machines."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir runs --live", "", RunsBase.CODES})
public final class RunsCommand extends RunsBase {
  @Option(names = "--live", description = "List only runs that have not ended.")
  private boolean live;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  int run(Runs runs) throws IOException {
    List<RunView> views =
        runs.list().stream().filter(view -> !live || !view.stage().isEnd()).toList();
    if (json) {
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      ArrayNode list = root.putArray("runs");
      views.forEach(view -> list.add(RunJson.head(view)));
      out().println(Json.pretty(root));
      return ExitCode.DONE;
    }
    Table table = new Table("RUN", "WORKFLOW", "MODE", "STATE", "DONE#", "TASKS#", "SUBMITTED");
    for (RunView view : views) {
      table.row(
          view.summary().id(),
          view.summary().workflow(),
          view.summary().mode(),
          view.stage(),
          RunJson.done(view),
          RunJson.tasks(view),
          Times.of(view.summary().submitted()));
    }
    out().print(table.isEmpty() ? "No runs." + System.lineSeparator() : table.toString());
    return ExitCode.DONE;
  }
}

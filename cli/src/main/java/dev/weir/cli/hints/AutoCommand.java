package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "auto",
    description = {
      "Shows the replicas that the hint auto gives files by their use; for administrators.",
      "With weir.replication.auto.enabled = false nothing is changed, only planned."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints auto --plan", "", ServiceCommand.CODES})
final class AutoCommand extends ServiceCommand {
  @Option(names = "--plan", description = "List the changes that the last round planned.")
  private boolean plan;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    tell(client, ServiceCalls.autoPlan(), this::words);
    return ExitCode.DONE;
  }

  private String words(JsonNode json) {
    StringBuilder text = new StringBuilder();
    line(text, "files     " + json.path("files").asLong() + " under auto");
    line(
        text,
        "copies    "
            + Sizes.of(json.path("bytes").asLong())
            + " of a budget of "
            + Sizes.of(json.path("budget").asLong()));
    long counting = json.path("namenodes-counting").asLong();
    line(
        text,
        "counts    of "
            + counting
            + (counting == 1 ? " NameNode" : " NameNodes")
            + (json.path("counts-established").asBoolean()
                ? ""
                : ", for less than a half-life: no copy is removed yet"));
    line(text, "changes   " + json.path("changes").asLong() + " planned");
    if (plan && !json.path("plan").isEmpty()) {
      Table table = new Table("PATH", "OWN#", "NOW#", "THEN#", "UTILITY#");
      for (JsonNode change : json.path("plan")) {
        table.row(
            change.path("path").asText(),
            change.path("own").asInt(),
            change.path("from").asInt(),
            change.path("to").asInt(),
            String.format(Locale.ROOT, "%.2f", change.path("utility").asDouble()));
      }
      text.append(table);
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append(System.lineSeparator());
  }
}

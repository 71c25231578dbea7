package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Table;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.WatcherList;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "watchers",
    description =
        "Lists the processes that follow hints, with the versions that they have" + " applied.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints watchers", "", ServiceCommand.CODES})
final class ListWatchers extends ServiceCommand {
  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    tell(client, ServiceCalls.watchers(), ListWatchers::table);
    return ExitCode.DONE;
  }

  private static String table(JsonNode json) throws IOException {
    WatcherList list = WatcherList.of(json);
    Table table = new Table("ROLE", "HOST", "PROCESS", "VERSION#", "STATE");
    for (WatcherList.Watcher watcher : list.watchers()) {
      Boolean active = watcher.active();
      table.row(
          watcher.role(),
          known(watcher.host()),
          known(watcher.process()),
          watcher.version(),
          (watcher.behind() ? "behind" : "up to date")
              + (active == null ? "" : active ? ", active" : ", standby"));
    }
    String latest = "The hints are at version " + list.version() + "." + System.lineSeparator();
    return latest + (table.isEmpty() ? "No process follows them." + System.lineSeparator() : table);
  }

  private static String known(String value) {
    return value.isEmpty() ? "-" : value;
  }
}

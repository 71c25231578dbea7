package dev.weir.cli.hints;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Times;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "keep",
    description = "Changes when a hint set expires.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints keep mosaic-17 --for 12h", "", ServiceCommand.CODES})
final class KeepSet extends ServiceCommand {
  @Parameters(paramLabel = "ID", description = "The hint set.")
  private String id;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      required = true,
      converter = TimeSpanConverter.class,
      description = "Time from now, such as 12h or 2d.")
  private Duration time;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    tell(
        client,
        ServiceCalls.keepAlive(id, time),
        json -> {
          String end = json.path("expires").asText("");
          return "set "
              + id
              + (end.isEmpty() ? " is kept" : " expires at " + Times.of(end))
              + System.lineSeparator();
        });
    return ExitCode.DONE;
  }
}

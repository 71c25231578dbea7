package dev.weir.cli.hints;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = "Writes the counted reads and writes of files as JSON; for administrators.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints profile export use.json", "", ServiceCommand.CODES})
final class ExportProfile extends ServiceCommand {
  @Parameters(paramLabel = "FILE", description = "The file to write.")
  private Path file;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    Files.writeString(
        file, Json.pretty(client.send(ServiceCalls.useProfile()).json()) + System.lineSeparator());
    return ExitCode.DONE;
  }
}

package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.VersionedSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = {
      "Writes a hint set as JSON, for 'weir hints import'.",
      "With --json it writes the service's answer, which also contains the version"
          + " and short forms of the hints."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir hints export mosaic-17 -o mosaic-17.json",
      "",
      ServiceCommand.CODES
    })
final class ExportSet extends ServiceCommand {
  @Parameters(paramLabel = "ID", description = "The hint set.")
  private String id;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "File to write (default: standard output).")
  private @Nullable Path out;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    if (out == null) {
      tell(client, ServiceCalls.set(id), json -> plain(json) + System.lineSeparator());
      return ExitCode.DONE;
    }
    Files.writeString(
        out, plain(client.send(ServiceCalls.set(id)).json()) + System.lineSeparator());
    return ExitCode.DONE;
  }

  private static String plain(JsonNode json) throws IOException {
    return SetFile.of(VersionedSet.setOf(json));
  }
}

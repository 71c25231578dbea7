package dev.weir.cli.hints;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = {
      "Adds a profile to what the NameNodes have counted; for administrators.",
      "The leader of the service keeps it while it leads; it decays as other counts do."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints profile import use.json", "", ServiceCommand.CODES})
final class ImportProfile extends ServiceCommand {
  @Parameters(paramLabel = "FILE", description = "The file that was exported.")
  private Path file;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    try {
      tell(
          client,
          ServiceCalls.addUseProfile(Json.parse(Files.readString(file))),
          json ->
              "added the use of "
                  + json.path("files").asLong()
                  + " files"
                  + System.lineSeparator());
      return ExitCode.DONE;
    } catch (JsonProcessingException e) {
      throw new InvalidHintException(file + ": is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}

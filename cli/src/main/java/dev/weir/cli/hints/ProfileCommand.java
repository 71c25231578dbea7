package dev.weir.cli.hints;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir hints profile}: the commands for the counted use of files. */
@Command(
    name = "profile",
    description = "Saves and loads how often files under the hint auto were used.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  weir hints profile export use.json",
      "  weir hints profile import use.json",
      "",
      ServiceOptions.CODES
    })
final class ProfileCommand {

  @Command(
      name = "export",
      description = "Writes the counted reads and writes of files as JSON; for administrators.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints profile export use.json", "", ServiceOptions.CODES})
  int exportTo(
      @Parameters(paramLabel = "FILE", description = "The file to write.") Path file,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) -> {
          JsonNode profile = client.send(ServiceCalls.useProfile()).json();
          Files.writeString(file, Json.pretty(profile) + System.lineSeparator());
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "import",
      description = {
        "Adds a profile to what the NameNodes have counted; for administrators.",
        "The leader of the service keeps it while it leads; it decays as other counts do."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints profile import use.json", "", ServiceOptions.CODES})
  int importFrom(
      @Parameters(paramLabel = "FILE", description = "The file that was exported.") Path file,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) -> {
          JsonNode profile;
          try {
            profile = Json.parse(Files.readString(file));
          } catch (JsonProcessingException e) {
            throw new InvalidHintException(file + ": is not JSON: " + e.getOriginalMessage(), e);
          }
          JsonNode added = client.send(ServiceCalls.addUseProfile(profile)).json();
          return service.tell(
              added, json -> "added the use of %d files%n".formatted(json.path("files").asLong()));
        });
  }
}

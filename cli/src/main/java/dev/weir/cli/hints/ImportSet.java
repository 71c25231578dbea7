package dev.weir.cli.hints;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.Json;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.http.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = "Creates or replaces a hint set from a JSON file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir hints import mosaic-17.json --await",
      "  weir hints export mosaic-17 | sed s/mosaic-17/mosaic-18/ | weir hints import -",
      "",
      ServiceOptions.CODES
    })
final class ImportSet implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The file; - for standard input.")
  private String file;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Id of the hint set (default: the id in the file).")
  private @Nullable String id;

  @Mixin private WriteChoice write;

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  private int run(HintsClient client, HdfsPaths paths) throws IOException {
    JsonNode set = read();
    String target = id == null ? set.path("id").asText("") : id;
    if (target.isEmpty()) {
      throw new InvalidHintException(
          file + ": has no field 'id'; add it, or name the set with --id");
    }
    Answer answer =
        service.tell(
            client,
            ServiceCalls.putSet(target, set, write.options()),
            json ->
                "set "
                    + target
                    + " has "
                    + (set.path("rules").size() == 1
                        ? "1 rule"
                        : set.path("rules").size() + " rules")
                    + write.words(json)
                    + System.lineSeparator());
    return write.code(answer.json(), service);
  }

  private JsonNode read() throws IOException {
    String text;
    try {
      text =
          file.equals("-")
              ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
              : Files.readString(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new IOException("There is no file " + file, e);
    }
    try {
      JsonNode set = Json.parse(text);
      if (set.isObject()) {
        return set;
      }
      throw new InvalidHintException(file + ": is no JSON object; write { \"id\": ..., ... }");
    } catch (JsonProcessingException e) {
      throw new InvalidHintException(file + ": is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}

package dev.weir.cli.hints;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.http.Answer;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "set",
    description = {
      "Sets the hint of a path.",
      "PATH is a file, a directory (for all files below it) or a quoted pattern."
          + " Without --set the hint belongs to the path. With --set it becomes a rule of"
          + " that hint set, with PATH as its pattern."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir hints set /data/reads pipeline",
      "  weir hints set '/run/*/x.hdr' broadcast=8 --set run-17 --expires 12h --await",
      "  weir hints set results '{\"replication\": {\"mode\": \"lazy\"}}'",
      "",
      ServiceOptions.CODES
    })
final class SetHint implements Callable<Integer> {
  private static final int NOT_FOUND = 404;
  private static final int PRECONDITION_FAILED = 412;

  @Parameters(index = "0", paramLabel = "PATH", description = "Path or pattern.")
  private String path;

  @Parameters(
      index = "1",
      paramLabel = "HINT",
      description = "pipeline, broadcast=8, reduce=GROUP, ..., or a JSON object.")
  private String hint;

  @Option(
      names = "--set",
      paramLabel = "ID",
      description = "Hint set of the rule; created if it does not exist.")
  private @Nullable String set;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description = "Time until the hint expires, such as 12h; with --set the whole set expires.")
  private @Nullable Duration expires;

  @Mixin private WriteChoice write;

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  private int run(HintsClient client, HdfsPaths paths) throws IOException {
    String target = paths.resolve(path);
    JsonNode value = value();
    @Nullable Instant end = end();
    String id = set;
    // The slash says that it is a directory, also before it is there.
    String given = path.endsWith("/") && !target.equals("/") ? target + "/" : target;
    Answer answer =
        id == null
            ? client.send(ServiceCalls.putHint(given, value, end, write.options()))
            : change(client, id, body(target, value, end));
    service.tell(answer.json(), json -> line(json.path("pattern").asText(target), json));
    if (answer.json().path("pattern").asText().equals(target) && paths.isAbsent(target)) {
      service.warn(
          target
              + " is not there yet, so the hint is for a file of that name; for all files of a"
              + " directory to come write '"
              + target
              + "/'");
    }
    return write.code(answer.json(), service);
  }

  private String line(String pattern, JsonNode json) {
    String id = json.path("id").asText(set == null ? "?" : set);
    return pattern
        + " is "
        + hint
        + " (set "
        + id
        + write.words(json)
        + ")"
        + System.lineSeparator();
  }

  private JsonNode value() {
    if (!hint.strip().startsWith("{")) {
      return new TextNode(hint);
    }
    try {
      return Json.parse(hint);
    } catch (JsonProcessingException e) {
      throw new InvalidHintException(
          "the hint begins like a JSON object, but " + e.getOriginalMessage() + "; correct it", e);
    }
  }

  /** Returns the expiry, rounded down to seconds. */
  private @Nullable Instant end() {
    return expires == null
        ? null
        : Clock.systemUTC().instant().plus(expires).truncatedTo(ChronoUnit.SECONDS);
  }

  private static ObjectNode body(String pattern, JsonNode hint, @Nullable Instant end) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putArray("rules").addObject().put("pattern", pattern).set("hint", hint);
    if (end != null) {
      body.put("expires", end.toString());
    }
    return body;
  }

  /** Changes or creates the set. A set that is created at the same time is not overwritten. */
  private Answer change(HintsClient client, String id, JsonNode body) throws IOException {
    try {
      return client.send(ServiceCalls.patchSet(id, body, write.options()));
    } catch (HintsServiceException e) {
      if (e.status() != NOT_FOUND) {
        throw e;
      }
    }
    try {
      WriteOptions onlyNew = new WriteOptions(0L, write.options().await());
      return client.send(ServiceCalls.putSet(id, body, onlyNew));
    } catch (HintsServiceException e) {
      if (e.status() != PRECONDITION_FAILED) {
        throw e;
      }
      return client.send(ServiceCalls.patchSet(id, body, write.options()));
    }
  }
}

package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.client.http.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of writing a hint or a hint set.
 *
 * @param id of the set that was written
 * @param version its version now
 * @param applied whether the active NameNode has applied it; null if that was not requested
 * @param warnings what prevents its hints from being followed, as text; usually empty
 */
public record WriteResult(
    String id, long version, boolean created, @Nullable Boolean applied, List<String> warnings) {
  private static final int CREATED = 201;

  /** Copies the warnings. */
  public WriteResult {
    warnings = List.copyOf(warnings);
  }

  static WriteResult of(Answer answer, String knownId) throws IOException {
    JsonNode json = answer.json();
    String id = JsonReader.optionalText(json, "id");
    long version =
        answer.version().isPresent()
            ? answer.version().getAsLong()
            : JsonReader.number(json, "version");
    JsonNode applied = json.path("applied");
    List<String> warnings = new ArrayList<>();
    json.path("warnings").forEach(warning -> warnings.add(warning.asText()));
    return new WriteResult(
        id == null ? knownId : id,
        version,
        answer.status() == CREATED,
        applied.isBoolean() ? (Boolean) applied.booleanValue() : null,
        warnings);
  }
}

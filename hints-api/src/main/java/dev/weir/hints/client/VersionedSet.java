package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.client.http.Answer;
import java.io.IOException;

/**
 * A hint set as the service has it.
 *
 * @param set the set
 * @param version the version that it is at
 */
public record VersionedSet(HintSet set, long version) {
  static VersionedSet of(Answer answer) throws IOException {
    JsonNode json = answer.json();
    long version =
        answer.version().isPresent()
            ? answer.version().getAsLong()
            : JsonReader.number(json, "version");
    return new VersionedSet(setOf(json), version);
  }

  /** The set in an answer; what the service says beyond it is left out. */
  public static HintSet setOf(JsonNode json) throws IOException {
    return ModelJson.set(json);
  }
}

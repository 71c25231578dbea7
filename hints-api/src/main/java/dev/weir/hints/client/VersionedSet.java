package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.client.http.Answer;
import java.io.IOException;

/** A hint set with its version in the service. */
public record VersionedSet(HintSet set, long version) {
  static VersionedSet of(Answer answer) throws IOException {
    JsonNode json = answer.json();
    long version =
        answer.version().isPresent()
            ? answer.version().getAsLong()
            : JsonReader.number(json, "version");
    return new VersionedSet(setOf(json), version);
  }

  /** Parses the set of an answer. Additional fields of the service are ignored. */
  public static HintSet setOf(JsonNode json) throws IOException {
    return ModelJson.set(json);
  }
}

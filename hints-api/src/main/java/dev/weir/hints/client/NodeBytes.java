package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of some files on a node.
 *
 * @param rack its rack; null if the service does not know it
 * @param bytes bytes on its disks
 * @param cachedBytes bytes in its memory
 */
public record NodeBytes(String host, @Nullable String rack, long bytes, long cachedBytes) {
  static NodeBytes of(JsonNode json) throws IOException {
    return new NodeBytes(
        JsonReader.text(json, "host"),
        JsonReader.optionalText(json, "rack"),
        JsonReader.number(json, "bytes"),
        json.path("cached-bytes").asLong(0));
  }
}

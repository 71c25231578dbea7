package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locations of a file's bytes.
 *
 * @param nodes the nodes that hold any of it, best first
 * @param error why the locations are unknown: {@code not-found}, {@code not-readable}, {@code
 *     is-directory}; null if they are known
 */
public record FileLocations(
    String path, long bytes, long blocks, List<NodeBytes> nodes, @Nullable String error) {
  public FileLocations {
    nodes = List.copyOf(nodes);
  }

  /** Parses an answer for several files. */
  public static List<FileLocations> listOf(JsonNode json) throws IOException {
    return JsonReader.list(json, "files", FileLocations::of);
  }

  private static FileLocations of(JsonNode json) throws IOException {
    String path = JsonReader.text(json, "path");
    String error = JsonReader.optionalText(json, "error");
    if (error != null) {
      return new FileLocations(path, 0, 0, List.of(), error);
    }
    return new FileLocations(
        path,
        JsonReader.number(json, "bytes"),
        json.path("blocks").asLong(0),
        JsonReader.list(json, "nodes", NodeBytes::of),
        null);
  }
}

package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/**
 * The nodes that hold the most of a task's inputs.
 *
 * @param nodes the nodes, best first
 * @param missing inputs that do not exist or may not be read
 */
public record Ranking(List<NodeBytes> nodes, long bytes, List<String> missing) {
  public Ranking {
    nodes = List.copyOf(nodes);
    missing = List.copyOf(missing);
  }

  public static Ranking of(JsonNode json) throws IOException {
    return new Ranking(
        JsonReader.list(json, "nodes", NodeBytes::of),
        JsonReader.number(json, "bytes"),
        JsonReader.texts(json, "missing"));
  }
}

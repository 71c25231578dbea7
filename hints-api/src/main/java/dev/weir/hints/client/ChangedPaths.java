package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/**
 * The paths of recent edits in the file system.
 *
 * @param followed whether the service follows edits
 * @param mark the position for the next request
 * @param missed whether edits since the requested mark may have been lost
 * @param paths files, and directories for everything below them; at most 5,000, in which case there
 *     may be more to request at once
 */
public record ChangedPaths(boolean followed, String mark, boolean missed, List<String> paths) {
  /** Copies the list. */
  public ChangedPaths {
    paths = List.copyOf(paths);
  }

  /** Parses an answer. */
  public static ChangedPaths of(JsonNode json) throws IOException {
    return new ChangedPaths(
        json.path("followed").asBoolean(),
        JsonReader.text(json, "mark"),
        json.path("missed").asBoolean(true),
        JsonReader.list(json, "paths", JsonNode::asText));
  }
}

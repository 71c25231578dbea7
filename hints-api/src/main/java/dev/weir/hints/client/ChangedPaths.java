package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/**
 * The paths that the latest edits of the file system were about.
 *
 * @param followed whether the service follows edits at all
 * @param mark to ask with for what comes after this
 * @param missed whether there may have been others since the mark that was asked with
 * @param paths files, and directories with all that is below them; 5,000 at most, and then there
 *     may be more to ask for at once
 */
public record ChangedPaths(boolean followed, String mark, boolean missed, List<String> paths) {
  /** Copies the list. */
  public ChangedPaths {
    paths = List.copyOf(paths);
  }

  /** Reads an answer. */
  public static ChangedPaths of(JsonNode json) throws IOException {
    return new ChangedPaths(
        json.path("followed").asBoolean(),
        JsonReader.text(json, "mark"),
        json.path("missed").asBoolean(true),
        JsonReader.list(json, "paths", JsonNode::asText));
  }
}

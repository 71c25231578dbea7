package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes that follow the hints.
 *
 * @param version the store's version
 */
public record WatcherList(long version, List<Watcher> watchers) {
  public WatcherList {
    watchers = List.copyOf(watchers);
  }

  /**
   * A process that follows the hints.
   *
   * @param role its role, such as {@code namenode}
   * @param process its process id on the host
   * @param version the version that it has applied
   * @param behind whether there is a later version
   * @param active whether it is the active one of its kind; null if unknown
   */
  public record Watcher(
      String role,
      String host,
      String process,
      long version,
      boolean behind,
      @Nullable Boolean active) {
    private static Watcher of(JsonNode json, long latest) throws IOException {
      long version = JsonReader.number(json, "version");
      JsonNode active = json.path("active");
      return new Watcher(
          JsonReader.text(json, "role"),
          json.path("host").asText(""),
          json.path("process").asText(""),
          version,
          json.path("behind").asBoolean(version < latest),
          active.isBoolean() ? (Boolean) active.booleanValue() : null);
    }
  }

  public static WatcherList of(JsonNode json) throws IOException {
    long latest = JsonReader.number(json, "version");
    return new WatcherList(
        latest, JsonReader.list(json, "watchers", watcher -> Watcher.of(watcher, latest)));
  }
}

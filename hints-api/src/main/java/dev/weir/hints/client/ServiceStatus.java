package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an instance of the service is.
 *
 * @param state in what state it is
 * @param leader whether it is the one that reconciles
 * @param leaderId which instance is; null when none is, or that is not known
 * @param store how the store is
 */
public record ServiceStatus(String state, boolean leader, @Nullable String leaderId, Store store) {
  /**
   * How the store is.
   *
   * @param connected whether it can be reached
   * @param age for how long the instance has not known the present state
   * @param version the version that the instance knows
   * @param sets how many sets there are
   * @param rules how many rules there are
   */
  public record Store(boolean connected, Duration age, long version, long sets, long rules) {}

  /** Reads an answer. */
  public static ServiceStatus of(JsonNode json) throws IOException {
    JsonNode store = json.path("store");
    String leader = JsonReader.optionalText(json, "leader-id");
    return new ServiceStatus(
        JsonReader.text(json, "state"),
        json.path("leader").asBoolean(false),
        leader == null || leader.isEmpty() ? null : leader,
        new Store(
            store.path("connected").asBoolean(false),
            Duration.ofMillis(store.path("age-ms").asLong(0)),
            store.path("version").asLong(0),
            store.path("sets").asLong(0),
            store.path("rules").asLong(0)));
  }
}

package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of an instance of the service.
 *
 * @param leader whether it is the one that reconciles
 * @param leaderId the instance that does; null if there is none or it is unknown
 * @param ignored attributes that are not followed; empty unless the caller is an administrator and
 *     the instance is the leader
 * @param problems why rules are not followed by some NameNodes or clients, each one sentence
 */
public record ServiceStatus(
    String state,
    boolean leader,
    @Nullable String leaderId,
    Store store,
    List<IgnoredHint> ignored,
    List<String> problems) {

  public ServiceStatus {
    ignored = List.copyOf(ignored);
    problems = List.copyOf(problems);
  }

  /**
   * An attribute that is not followed.
   *
   * @param path the path that carries it
   */
  public record IgnoredHint(String path, String reason) {}

  /**
   * The status of the store.
   *
   * @param connected whether it can be reached
   * @param age how long the instance has not been up to date
   * @param version the version that the instance knows
   */
  public record Store(boolean connected, Duration age, long version, long sets, long rules) {}

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
            store.path("rules").asLong(0)),
        ignored(json.path("reconciler").path("ignored-hints")),
        problems(store, json.path("hints")));
  }

  private static List<String> problems(JsonNode store, JsonNode hints) {
    List<String> problems = new ArrayList<>();
    addText(store.path("problem"), problems);
    addText(hints.path("client-rules-problem"), problems);
    long leftOut = store.path("sets-left-out").asLong(0);
    if (leftOut > 0) {
      problems.add(leftOut + " sets do not fit into the memory for hints");
    }
    long unknown = hints.path("sets-unknown-to-clients").asLong(0);
    if (unknown > 0) {
      problems.add(unknown + " sets are too long to be shown to HDFS clients");
    }
    return problems;
  }

  private static void addText(JsonNode node, List<String> list) {
    if (node.isTextual()) {
      list.add(node.textValue());
    }
  }

  private static List<IgnoredHint> ignored(JsonNode list) {
    List<IgnoredHint> ignored = new ArrayList<>();
    list.forEach(
        hint ->
            ignored.add(new IgnoredHint(hint.path("path").asText(), hint.path("reason").asText())));
    return ignored;
  }
}

package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.client.http.ServiceCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the calls of the hints service. {@link HintsClient} sends them and parses the answers. */
public final class ServiceCalls {
  private static final String SETS = "/v1/hint-sets";
  private static final String HINTS = "/v1/hints";
  private static final String AUTO = "/v1/auto-replication";

  private ServiceCalls() {}

  /** Reads a hint set. */
  public static ServiceCall set(String id) {
    return ServiceCall.of("GET", SETS + "/" + HintSet.requireId(id));
  }

  /** Creates or replaces a hint set. */
  public static ServiceCall putSet(String id, JsonNode set, WriteOptions options) {
    return options.applyTo(ServiceCall.of("PUT", SETS + "/" + HintSet.requireId(id)).json(set));
  }

  /** Changes a hint set. */
  public static ServiceCall patchSet(String id, JsonNode change, WriteOptions options) {
    return options.applyTo(
        ServiceCall.of("PATCH", SETS + "/" + HintSet.requireId(id)).json(change));
  }

  /** Removes a hint set. */
  public static ServiceCall removeSet(String id, WriteOptions options) {
    return options.applyTo(ServiceCall.of("DELETE", SETS + "/" + HintSet.requireId(id)));
  }

  /** Sets a hint set to expire after a time from now. */
  public static ServiceCall keepAlive(String id, Duration time) {
    return keepAlive(id, object().put("for", ServiceCall.text(time)));
  }

  /** Sets a hint set to expire at a time. */
  public static ServiceCall keepAlive(String id, Instant end) {
    return keepAlive(id, object().put("expires", end.toString()));
  }

  private static ServiceCall keepAlive(String id, ObjectNode body) {
    return ServiceCall.of("POST", SETS + "/" + HintSet.requireId(id) + ":keep-alive").json(body);
  }

  /** Lists hint sets. */
  public static ServiceCall sets(SetQuery query) {
    ServiceCall call = ServiceCall.of("GET", SETS);
    call = optional(call, "owner", query.owner());
    call = optional(call, "prefix", query.prefix());
    call = optional(call, "after", query.after());
    return query.limit() == 0 ? call : call.query("limit", Integer.toString(query.limit()));
  }

  /** Reads the hint that applies to a path. */
  public static ServiceCall hint(String path) {
    return ServiceCall.of("GET", HINTS).query("path", path);
  }

  /**
   * Sets the hint of a path.
   *
   * @param hint the hint as an object or as text
   * @param expires when the hint expires; null for never
   * @param options whether to wait
   */
  public static ServiceCall putHint(
      String path, JsonNode hint, @Nullable Instant expires, WriteOptions options) {
    ObjectNode body = object();
    body.set("hint", hint);
    if (expires != null) {
      body.put("expires", expires.toString());
    }
    return options.applyTo(ServiceCall.of("PUT", HINTS).query("path", path).json(body));
  }

  public static ServiceCall removeHint(String path) {
    return ServiceCall.of("DELETE", HINTS).query("path", path);
  }

  /** Gets the locations of files. */
  public static ServiceCall locations(List<String> paths) {
    return ServiceCall.of("POST", "/v1/locations").json(paths(paths));
  }

  /** Gets the nodes that hold the most of these files. */
  public static ServiceCall rank(List<String> paths, int limit) {
    ObjectNode body = paths(paths);
    if (limit > 0) {
      body.put("limit", limit);
    }
    return ServiceCall.of("POST", "/v1/placements:rank").json(body);
  }

  /** Explains why a file is where it is. */
  public static ServiceCall explain(String path) {
    return ServiceCall.of("GET", "/v1/explain").query("path", path);
  }

  /** Lists the processes that follow the hints. */
  public static ServiceCall watchers() {
    return ServiceCall.of("GET", "/v1/watchers");
  }

  /** Gets the replicas that the last round plans for files under auto. */
  public static ServiceCall autoPlan() {
    return ServiceCall.of("GET", AUTO);
  }

  /** Gets the counted accesses to files under auto. */
  public static ServiceCall useProfile() {
    return ServiceCall.of("GET", AUTO + "/profile");
  }

  /** Adds a profile to the counted accesses. */
  public static ServiceCall addUseProfile(JsonNode profile) {
    return ServiceCall.of("POST", AUTO + "/profile").json(profile);
  }

  public static ServiceCall status() {
    return ServiceCall.of("GET", "/v1/status");
  }

  private static ServiceCall optional(ServiceCall call, String name, @Nullable String value) {
    return value == null ? call : call.query(name, value);
  }

  private static ObjectNode paths(List<String> paths) {
    ObjectNode body = object();
    paths.forEach(body.putArray("paths")::add);
    return body;
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}

package dev.weir.hints.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request to the hints service, independent of the instance. Immutable.
 *
 * @param method the HTTP method
 * @param path the path below the base URL, with a leading slash
 * @param query names and values, not encoded
 * @param body the content; null for none
 * @param serviceWaits how long the service itself may wait before it answers
 */
public record ServiceCall(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    @Nullable Body body,
    Duration serviceWaits) {

  public ServiceCall {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  /**
   * The content of a request.
   *
   * @param type its media type
   * @param bytes the bytes; not copied, must not be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  public record Body(String type, byte[] bytes) {}

  /** A call without query, headers and body. */
  public static ServiceCall of(String method, String path) {
    return new ServiceCall(method, path, Map.of(), Map.of(), null, Duration.ZERO);
  }

  /** A copy with another query parameter. */
  public ServiceCall query(String name, String value) {
    return new ServiceCall(method, path, with(query, name, value), headers, body, serviceWaits);
  }

  /** A copy with a JSON body. */
  public ServiceCall json(JsonNode json) {
    return body("application/json", json.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A copy with a body. */
  public ServiceCall body(String type, byte[] bytes) {
    return new ServiceCall(method, path, query, headers, new Body(type, bytes), serviceWaits);
  }

  /** A copy with another header. */
  public ServiceCall header(String name, String value) {
    return new ServiceCall(method, path, query, with(headers, name, value), body, serviceWaits);
  }

  /** A copy that is answered when the NameNode has applied the change, or after the timeout. */
  public ServiceCall awaitingApplied(Duration timeout) {
    ServiceCall call = query("await", "applied").query("timeout", text(timeout));
    return new ServiceCall(method, path, call.query, headers, body, timeout);
  }

  /**
   * Whether sending the call twice has the same effect as sending it once. This holds for all calls
   * except those bound to a version, which the first attempt may have changed.
   */
  boolean isRepeatable() {
    boolean reads = method.equals("GET");
    return reads || !(headers.containsKey("If-Match") || headers.containsKey("If-None-Match"));
  }

  /** Path and query, encoded. */
  String target(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(query);
    all.putAll(more);
    return all.isEmpty()
        ? path
        : path
            + all.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&", "?", ""));
  }

  /** A duration in the format of the service's settings. */
  public static String text(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(map);
    more.put(name, value);
    return more;
  }
}

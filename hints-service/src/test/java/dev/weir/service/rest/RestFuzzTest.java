package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Mutations;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The service answers every request, and never with a failure of its own. {@code
 * -Dweir.fuzz.count=100000} sets the number of requests; {@code -Dweir.fuzz.seed=N} sets another
 * first seed than 1.
 */
@Timeout(1_800)
class RestFuzzTest {
  private static final int COUNT = Integer.getInteger("weir.fuzz.count", 1_500);
  private static final long SEED = Long.getLong("weir.fuzz.seed", 1);
  private static final long MEGABYTE = 1 << 20;
  private static final long MORE_MEMORY = 300 * MEGABYTE;

  private static final List<String> METHODS =
      List.of("GET", "PUT", "PUT", "PATCH", "POST", "POST", "DELETE", "HEAD", "OPTIONS", "COPY");
  private static final List<String> TARGETS =
      List.of(
          "/v1/hint-sets/$?",
          "/v1/hint-sets/run-1?",
          "/v1/hint-sets/run-1:keep-alive?",
          "/v1/hint-sets?owner=$&prefix=$&limit=$&after=$&",
          "/v1/hints?path=$&",
          "/v1/hints?path=/p/$&",
          "/v1/locations?",
          "/v1/placements:rank?",
          "/v1/workflows:infer?directory=$&nodes=$&replication=$&format=$&",
          "/v1/explain?path=$&",
          "/v1/watchers?",
          "/v1/status?",
          "/v1/openapi.json?",
          "/v1/$?",
          "/$?$");
  private static final List<String> QUERIES =
      List.of("", "await=applied&timeout=1ms&", "await=$&", "doAs=&", "doAs=$&", "$=$&", "path=$&");
  private static final List<String> TYPES =
      List.of(
          "Content-Type: application/json\r\n",
          "Content-Type: application/json\r\n",
          "Content-Type: application/json; charset=utf-16\r\n",
          "Content-Type: text/plain\r\n",
          "Content-Type: text/plain; charset=nope\r\n",
          "Content-Type: ,;\r\n",
          "");
  private static final List<String> CONDITIONS =
      List.of("", "", "If-Match: \"1\"\r\n", "If-Match: $\r\n", "If-None-Match: *\r\n", "$: $\r\n");

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        TestServer.over(
            new InMemoryHintStore(Clock.systemUTC()),
            Map.of(
                "weir.server.admins", "boss",
                "weir.server.limits.body", "256k",
                "weir.server.limits.rules-per-set", "1000"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void answersEveryRequestWithoutServerError() throws Exception {
    Mutations mutations = new Mutations(SEED);
    URI uri = server.uri("/");
    long before = usedMemory();
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < COUNT; i++) {
      RawCall call = call(mutations);
      RawCall.Reply reply = call.send(uri);
      String description =
          "seed " + SEED + ", number " + i + ":\n" + shortened(call) + "\n" + reply;
      assertThat(reply.status()).as(description).isBetween(200, 499);
      if (reply.status() >= 400 && call.head().contains(" /v1/") && !reply.body().isEmpty()) {
        assertThat(reply.headers()).as(description).contains("json");
      }
      statuses.merge(reply.status(), 1, Integer::sum);
    }
    long more = usedMemory() - before;
    System.out.printf(
        "seed %d: %d requests answered with %s; %d MB more in use%n",
        SEED, COUNT, statuses, more / MEGABYTE);
    assertThat(more).isLessThan(MORE_MEMORY);
    assertThat(statuses).containsKeys(200, 201, 400, 404, 405);
    assertThat(server.send("GET", "/v1/status").statusCode()).isEqualTo(200);
  }

  private static RawCall call(Mutations mutations) {
    String user = "user.name=" + (mutations.onceIn(3) ? "alice" : "boss");
    if (mutations.onceIn(4)) {
      return plausible(mutations, user);
    }
    String target =
        filled(mutations.oneOf(TARGETS) + mutations.oneOf(QUERIES), mutations, true) + user;
    String headers = mutations.oneOf(TYPES) + filled(mutations.oneOf(CONDITIONS), mutations, false);
    String head = mutations.oneOf(METHODS) + " " + target + " HTTP/1.1\r\nHost: fuzz\r\n" + headers;
    return new RawCall(head, body(mutations));
  }

  /**
   * A request that is correct except for its body and path, so that the code behind the checks is
   * reached.
   */
  private static RawCall plausible(Mutations mutations, String user) {
    boolean path = mutations.onceIn(2);
    String target = path ? filled("/v1/hints?path=/p/$&", mutations, true) : "/v1/hint-sets/run-1?";
    String type = path ? "text/plain" : "application/json";
    String head =
        "PUT " + target + user + " HTTP/1.1\r\nHost: fuzz\r\nContent-Type: " + type + "\r\n";
    return new RawCall(head, path ? mutations.hint() : mutations.document());
  }

  private static String body(Mutations mutations) {
    if (mutations.onceIn(200)) {
      return mutations.oneOf(List.of("[", "{\"rules\":[", "{\"a\":", "9", "\"")).repeat(20_000);
    }
    if (mutations.onceIn(500)) {
      return "x".repeat(300_000);
    }
    return mutations.onceIn(3) ? mutations.hint() : mutations.document();
  }

  private static String filled(String template, Mutations mutations, boolean target) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      text.append(c == '$' ? word(mutations, target) : String.valueOf(c));
    }
    return text.toString();
  }

  private static String word(Mutations mutations, boolean target) {
    String word = mutations.onceIn(2) ? mutations.path() : mutations.hint();
    String bounded = word.length() > 3_000 ? word.substring(0, 3_000) : word;
    if (target && !mutations.onceIn(4)) {
      return URLEncoder.encode(bounded, StandardCharsets.UTF_8);
    }
    // A line end would start another header, and a blank another part of the first line.
    return bounded.replaceAll(target ? "[\\s#]" : "[\\r\\n]", "");
  }

  private static long usedMemory() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static String shortened(RawCall call) {
    String text = call.head() + "\n" + call.body();
    return text.length() > 1_500 ? text.substring(0, 1_500) + "…" : text;
  }
}

package dev.weir.hints.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.ClientSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The request and the parsed answer of every call. */
class HintsClientTest {
  private static final Rule RULE = new Rule(PathPattern.parse("/a/*"), HintPresets.pipeline());
  private static final String RULE_JSON =
      "{\"pattern\":\"/a/*\",\"hint\":\"pipeline\",\"text\":\"pipeline\"}";

  private final FakeService service = new FakeService();
  private HintsClient client;

  @BeforeEach
  void open() throws IOException {
    client =
        HintsClient.open(
            new Configuration(false),
            ClientSettings.of(List.of(service.url())),
            UserGroupInformation.createRemoteUser("ann"));
  }

  @AfterEach
  void close() {
    client.close();
    service.close();
  }

  @Test
  void putReturnsWhetherSetIsNewAndApplied() throws Exception {
    service.on(
        "PUT",
        "/v1/hint-sets/run-1",
        201,
        "{\"id\":\"run-1\",\"version\":17,\"rules\":1,\"applied\":true,\"watchers\":[],"
            + "\"warnings\":[\"beware\"]}",
        "ETag",
        "\"17\"");
    HintSet set = new HintSet("run-1", "ann", Instant.parse("2030-01-01T00:00:00Z"), List.of(RULE));
    WriteResult written = client.putSet(set, WriteOptions.awaiting(Duration.ofSeconds(5)));
    assertThat(written).isEqualTo(new WriteResult("run-1", 17, true, true, List.of("beware")));
    assertThat(service.last().query())
        .containsEntry("await", "applied")
        .containsEntry("timeout", "5s");
    assertThat(sent().path("expires").asText()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(sent().path("rules").path(0).path("pattern").asText()).isEqualTo("/a/*");
  }

  @Test
  void sendsVersionCondition() throws Exception {
    service.on("PUT", "/v1/hint-sets/s", 200, "{\"id\":\"s\",\"version\":2}");
    HintSet set = new HintSet("s", "ann", null, List.of(RULE));
    assertThat(client.putSet(set, WriteOptions.onlyAt(1)).applied()).isNull();
    assertThat(service.last().headers()).containsEntry("if-match", "\"1\"");
    client.putSet(set, WriteOptions.onlyNew());
    assertThat(service.last().headers()).containsEntry("if-none-match", "*");
  }

  @Test
  void readsASet() throws Exception {
    service.on(
        "GET",
        "/v1/hint-sets/s",
        200,
        "{\"id\":\"s\",\"owner\":\"ann\",\"version\":5,\"news\":1,\"rules\":[" + RULE_JSON + "]}",
        "ETag",
        "\"5\"");
    assertThat(client.findSet("s"))
        .hasValue(new VersionedSet(new HintSet("s", "ann", null, List.of(RULE)), 5));
    assertThat(client.findSet("other")).isEmpty();
  }

  @Test
  void changesASet() throws Exception {
    service.on("PATCH", "/v1/hint-sets/s", 200, "{\"id\":\"s\",\"version\":6,\"rules\":3}");
    SetChange change = new SetChange(List.of(RULE), List.of("/b"), null);
    assertThat(client.patchSet("s", change, WriteOptions.NONE).version()).isEqualTo(6);
    assertThat(sent().path("rules")).hasSize(1);
    assertThat(sent().path("remove").path(0).asText()).isEqualTo("/b");
    assertThat(sent().has("expires")).isFalse();
  }

  @Test
  void removesASet() throws Exception {
    service.on("DELETE", "/v1/hint-sets/s", 204, "");
    assertThat(client.removeSet("s")).isTrue();
    assertThat(client.removeSet("other")).isFalse();
  }

  @Test
  void keepsASetAlive() throws Exception {
    service.on("POST", "/v1/hint-sets/s:keep-alive", 200, "{\"id\":\"s\",\"version\":8}");
    assertThat(client.keepAlive("s", Duration.ofHours(12)).version()).isEqualTo(8);
    assertThat(sent().path("for").asText()).isEqualTo("43200s");
    client.keepAlive("s", Instant.EPOCH);
    assertThat(sent().path("expires").asText()).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void listsSetsByPages() throws Exception {
    service.on(
        "GET",
        "/v1/hint-sets",
        200,
        "{\"hint-sets\":[{\"id\":\"b\",\"owner\":\"ann\",\"rules\":2,\"version\":9}],"
            + "\"next\":\"b\"}");
    SetPage page = client.sets(new SetQuery("ann", "b", "a", 1));
    assertThat(page.next()).isEqualTo("b");
    assertThat(page.sets()).containsExactly(new SetPage.Entry("b", "ann", null, 2, 9));
    assertThat(service.last().query())
        .containsEntry("owner", "ann")
        .containsEntry("prefix", "b")
        .containsEntry("after", "a")
        .containsEntry("limit", "1");
  }

  @Test
  void readsWritesAndRemovesTheHintOfAPath() throws Exception {
    String path = "/a b/ü+&=?.fits";
    service
        .on(
            "GET",
            "/v1/hints",
            200,
            "{\"path\":\"/a/x\",\"hint\":{\"replication\":{\"mode\":\"eager\",\"target\":8}},"
                + "\"text\":\"broadcast=8\",\"set\":\"s\",\"owner\":\"ann\",\"pattern\":\"/a/*\","
                + "\"version\":3}")
        .on("PUT", "/v1/hints", 201, "{\"id\":\"path-0\",\"version\":4}")
        .on("DELETE", "/v1/hints", 204, "");
    EffectiveHint hint = client.hint(path).orElseThrow();
    assertThat(service.last().query()).containsEntry("path", path);
    assertThat(hint.hint()).isEqualTo(HintPresets.broadcast(8));
    assertThat(hint.text()).isEqualTo("broadcast=8");
    assertThat(client.putHint(path, "pipeline", WriteOptions.NONE).created()).isTrue();
    assertThat(sent().path("hint").asText()).isEqualTo("pipeline");
    client.putHint(path, HintPresets.broadcast(8), Instant.EPOCH, WriteOptions.NONE);
    assertThat(sent().path("hint").isObject()).isTrue();
    assertThat(sent().path("expires").asText()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(client.removeHint(path)).isTrue();
  }

  @Test
  void locatesFiles() throws Exception {
    service.on(
        "POST",
        "/v1/locations",
        200,
        "{\"files\":[{\"path\":\"/a\",\"bytes\":5,\"blocks\":1,\"nodes\":[{\"host\":\"n1\","
            + "\"rack\":\"/r\",\"bytes\":5,\"cached-bytes\":5}]},"
            + "{\"path\":\"/b\",\"error\":\"not-found\"}]}");
    assertThat(client.locations(List.of("/a", "/b")))
        .containsExactly(
            new FileLocations("/a", 5, 1, List.of(new NodeBytes("n1", "/r", 5, 5)), null),
            new FileLocations("/b", 0, 0, List.of(), "not-found"));
    assertThat(sent().path("paths")).hasSize(2);
  }

  @Test
  void ranksNodes() throws Exception {
    service.on(
        "POST",
        "/v1/placements:rank",
        200,
        "{\"nodes\":[{\"host\":\"n1\",\"rack\":\"/r\",\"bytes\":5}],\"bytes\":7,"
            + "\"missing\":[\"/b\"]}");
    assertThat(client.rank(List.of("/a", "/b"), 1))
        .isEqualTo(new Ranking(List.of(new NodeBytes("n1", "/r", 5, 0)), 7, List.of("/b")));
    assertThat(sent().path("limit").asInt()).isEqualTo(1);
  }

  @Test
  void explains() throws Exception {
    service.on(
        "GET",
        "/v1/explain",
        200,
        "{\"path\":\"/a/x\",\"rule\":{\"set\":\"s\",\"owner\":\"ann\",\"pattern\":\"/a/*\","
            + "\"text\":\"pipeline\"},\"wanted\":{\"replicas\":1,\"nodes\":[\"n1\"],"
            + "\"why\":\"with its writer\"},\"actual\":{\"replication\":3,\"block-size\":128,"
            + "\"blocks\":[{\"offset\":0,\"length\":5,\"nodes\":[\"n2\"]}]},"
            + "\"differences\":[{\"what\":\"not on n1\",\"why\":\"n1 was full\"}]}");
    Explanation explanation = client.explain("/a/x");
    assertThat(explanation.rule())
        .isEqualTo(new Explanation.Source("s", "ann", "/a/*", "pipeline"));
    assertThat(explanation.wanted().nodes()).containsExactly("n1");
    assertThat(explanation.actual().blocks())
        .containsExactly(new Explanation.Block(0, 5, List.of("n2")));
    assertThat(explanation.differences())
        .containsExactly(new Explanation.Difference("not on n1", "n1 was full"));
  }

  @Test
  void readsWatchersAndStatus() throws Exception {
    service
        .on(
            "GET",
            "/v1/watchers",
            200,
            "{\"version\":9,\"watchers\":[{\"role\":\"namenode\",\"host\":\"m\","
                + "\"process\":\"12\",\"version\":8,\"behind\":true,\"active\":true}]}")
        .on(
            "GET",
            "/v1/status",
            200,
            "{\"state\":\"RUNNING\",\"leader\":false,\"leader-id\":\"b\",\"store\":"
                + "{\"connected\":true,\"age-ms\":1500,\"version\":9,\"sets\":2,\"rules\":3,"
                + "\"sets-left-out\":4},\"hints\":{\"client-rules-problem\":\"no superuser\"}}");
    assertThat(client.watchers())
        .isEqualTo(
            new WatcherList(
                9, List.of(new WatcherList.Watcher("namenode", "m", "12", 8, true, true))));
    assertThat(client.status())
        .isEqualTo(
            new ServiceStatus(
                "RUNNING",
                false,
                "b",
                new ServiceStatus.Store(true, Duration.ofMillis(1500), 9, 2, 3),
                List.of(),
                List.of("no superuser", "4 sets do not fit into the memory for hints")));
  }

  @Test
  void readsMissingLeader() throws Exception {
    service.on("GET", "/v1/status", 200, "{\"state\":\"running\",\"leader-id\":\"\"}");
    assertThat(client.status().leaderId()).isNull();
  }

  private JsonNode sent() throws IOException {
    return new ObjectMapper().readTree(service.last().body());
  }
}

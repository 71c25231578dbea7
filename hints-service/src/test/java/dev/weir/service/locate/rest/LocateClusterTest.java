package dev.weir.service.locate.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.service.OpenApiClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The calls over HTTP, with the answers of a real NameNode. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocateClusterTest {
  private LocateCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = new LocateCluster();
    cluster.directory("/many", "alice", 0755);
    cluster.writeMany("/many/f", 1000, 10);
    cluster.directory("/alice", "alice", 0755);
    cluster.write("/alice/big", 2, 3 * LocateCluster.MIB);
    cluster.write("/alice/small", 1, 100);
    cluster.write("/alice/empty", 1, 0);
    cluster.directory("/alice/sub", "alice", 0755);
    cluster.directory("/closed", "bob", 0700);
    cluster.write("/closed/there", 1, 10);
    cluster.directory("/closed/sub", "bob", 0755);
    cluster.directory("/passage", "bob", 0711);
    cluster.write("/passage/there", 1, 10);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void answersMatchTheirDescription() throws Exception {
    OpenApiClient client = new OpenApiClient(cluster.server());
    String paths = "{\"paths\":[\"/alice/small\",\"/none\",\"/\"]}";
    client.check("POST", "/v1/locations", paths, 200);
    client.check("POST", "/v1/placements:rank", paths, 200);
    client.check("GET", "/v1/explain?path=/alice/small", null, 200);
    client.check("GET", "/v1/explain?path=/none", null, 200);
  }

  @Test
  void noCharacterOfAPathIsSpecial() throws Exception {
    for (String path : List.of("/none", "/no*ne{", "/a:b", "/ä")) {
      assertThat(error("alice", path)).as(path).isEqualTo("not-found");
    }
  }

  @Test
  void aRequestMayHaveTenThousandPaths() throws Exception {
    JsonNode answer = cluster.ask("alice", "/v1/locations", Collections.nCopies(10_000, "/none"));
    assertThat(answer.path("files")).hasSize(10_000);
  }

  @Test
  void thousandFilesOfOneDirectoryCostFewCalls() throws Exception {
    List<String> paths = IntStream.range(0, 1000).mapToObj(i -> "/many/f" + i).toList();
    JsonNode answer = cluster.ask("alice", "/v1/locations", paths);
    assertThat(answer.path("files").findValuesAsText("path")).isEqualTo(paths);
    for (int i = 0; i < 1000; i += 10) {
      JsonNode file = answer.path("files").path(i);
      assertThat(file.path("bytes").asLong()).as(file.toString()).isEqualTo(10);
      assertThat(file.path("blocks").asLong()).isEqualTo(1);
      JsonNode node = file.path("nodes").path(0);
      assertThat(node.path("host").textValue()).matches("n[1-4]");
      assertThat(node.path("rack").textValue()).isIn("/a", "/b");
      assertThat(node.path("bytes").asLong()).isEqualTo(10);
      assertThat(node.path("cached-bytes").asLong()).isZero();
    }
    assertThat(answer.path("namenode-calls").asInt()).isLessThanOrEqualTo(3);
  }

  @Test
  void fewFilesOfBigDirectoryAreNotListed() throws Exception {
    JsonNode answer =
        cluster.ask("alice", "/v1/locations", List.of("/many/f70", "/many/f990", "/many/none"));
    assertThat(answer.path("namenode-calls").asInt()).isEqualTo(3);
    assertThat(answer.path("files").path(0).path("bytes").asLong()).isEqualTo(10);
    assertThat(answer.path("files").path(2).path("error").textValue()).isEqualTo("not-found");
  }

  @Test
  void nodesAreBestFirst() throws Exception {
    JsonNode file = locate("alice", "/alice/big");
    assertThat(file.path("bytes").asLong()).isEqualTo(3L * LocateCluster.MIB);
    assertThat(file.path("blocks").asInt()).isEqualTo(3);
    List<Long> bytes = new ArrayList<>();
    file.path("nodes").forEach(node -> bytes.add(node.path("bytes").asLong()));
    assertThat(bytes).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(bytes.stream().mapToLong(Long::longValue).sum()).isEqualTo(6L * LocateCluster.MIB);
    assertThat(locate("alice", "/alice/empty").path("nodes")).isEmpty();
  }

  @Test
  void reportsErrorByPath() throws Exception {
    assertThat(error("alice", "/alice/none")).isEqualTo("not-found");
    assertThat(error("alice", "/none/none")).isEqualTo("not-found");
    assertThat(error("alice", "/alice/small/below")).isEqualTo("not-found");
    assertThat(error("alice", "/alice/sub")).isEqualTo("is-directory");
    assertThat(error("alice", "/")).isEqualTo("is-directory");
    assertThat(locate("alice", "/passage/there").path("bytes").asInt()).isEqualTo(10);
    assertThat(error("alice", "/passage/none")).isEqualTo("not-found");
  }

  @Test
  void closedDirectoryRevealsNothing() throws Exception {
    List<String> paths = new ArrayList<>(List.of("/closed/there", "/closed/sub", "/closed/sub/x"));
    IntStream.range(0, 5000).forEach(i -> paths.add("/closed/none" + i));
    JsonNode answer = cluster.ask("alice", "/v1/locations", paths);
    assertThat(answer.path("files").findValuesAsText("error"))
        .hasSize(paths.size())
        .containsOnly("not-readable");
    assertThat(answer.path("namenode-calls").asInt()).isLessThanOrEqualTo(20);
    assertThat(locate("bob", "/closed/there").path("bytes").asInt()).isEqualTo(10);
    assertThat(error("bob", "/closed/none")).isEqualTo("not-found");
  }

  @Test
  void refusesUsersThatServiceMayNotImpersonate() throws Exception {
    HttpResponse<String> answer =
        cluster.post("mallory", "/v1/locations", "{\"paths\":[\"/alice/small\"]}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("hadoop.proxyuser");
  }

  @Test
  void ranksNodesByBytes() throws Exception {
    JsonNode answer =
        cluster.ask(
            "alice",
            "/v1/placements:rank",
            List.of("/alice/big", "/alice/small", "/alice/big", "/many", "/closed/there", "/x"));
    assertThat(answer.path("bytes").asLong()).isEqualTo(3L * LocateCluster.MIB + 100 + 1000);
    assertThat(answer.path("missing"))
        .extracting(JsonNode::textValue)
        .containsExactly("/closed/there", "/x");
    List<Long> bytes = new ArrayList<>();
    answer.path("nodes").forEach(node -> bytes.add(node.path("bytes").asLong()));
    assertThat(bytes).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(bytes.stream().mapToLong(Long::longValue).sum())
        .isEqualTo(6L * LocateCluster.MIB + 100 + 1000);
    ObjectNode body = LocateCluster.body(List.of("/alice/big"));
    body.put("limit", 1);
    JsonNode one =
        LocateCluster.json(cluster.post("alice", "/v1/placements:rank", body.toString()));
    assertThat(one.path("nodes")).hasSize(1);
  }

  @Test
  void expectsFutureFileOnItsAnchor() throws Exception {
    putHint("ranked", "/alice/reduce/**", "reduce=g9");
    JsonNode answer =
        cluster.ask(
            "alice",
            "/v1/placements:rank",
            List.of("/alice/reduce/1", "/alice/reduce/2", "/alice/none"));
    assertThat(answer.path("nodes")).hasSize(1);
    JsonNode node = answer.path("nodes").path(0);
    assertThat(node.path("host").textValue()).matches("n[1-4]");
    assertThat(node.path("bytes").asInt(-1)).isZero();
    assertThat(node.path("expected").booleanValue()).isTrue();
    assertThat(answer.path("missing")).hasSize(3);
  }

  @Test
  void explainsAFile() throws Exception {
    JsonNode stock = LocateCluster.json(cluster.explain("alice", "/alice/big"));
    assertThat(stock.path("rule").isNull()).isTrue();
    assertThat(stock.path("actual").path("replication").asInt()).isEqualTo(2);
    assertThat(stock.path("actual").path("block-size").asInt()).isEqualTo(LocateCluster.MIB);
    assertThat(stock.path("actual").path("blocks")).hasSize(3);
    assertThat(stock.path("actual").path("blocks").path(1).path("nodes")).hasSize(2);
    assertThat(stock.path("differences")).isEmpty();

    putHint("explained", "/alice/small", "collocate=g2,replicas=4");
    JsonNode unfollowed = LocateCluster.json(cluster.explain("alice", "/alice/small"));
    assertThat(unfollowed.path("rule").path("text").textValue())
        .isEqualTo("collocate=g2,replicas=4");
    assertThat(unfollowed.path("wanted").path("replicas").asInt()).isEqualTo(4);
    assertThat(unfollowed.path("differences").findValuesAsText("why"))
        .last()
        .asString()
        .contains("no active NameNode follows hints");
    try (HintStore nameNode = cluster.store().withRole(HintStore.ROLE_NAMENODE)) {
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(
                          LocateCluster.json(cluster.explain("alice", "/alice/small"))
                              .path("differences")
                              .findValuesAsText("why"))
                      .hasSize(4)
                      .last()
                      .asString()
                      .contains("before the hint set was last changed"));
      assertThat(nameNode.watchers()).isNotEmpty();
    }
  }

  @Test
  void explainsGroupAndFutureFile() throws Exception {
    putHint("grouped", "/alice/group/**", "collocate=g1,replicas=2");
    JsonNode future = LocateCluster.json(cluster.explain("alice", "/alice/group/x"));
    assertThat(future.path("actual").path("exists").booleanValue()).isFalse();
    assertThat(future.path("wanted").path("nodes")).hasSize(2);
    cluster.write("/alice/group/x", 1, 100);
    JsonNode there = LocateCluster.json(cluster.explain("alice", "/alice/group/x"));
    assertThat(there.path("wanted").path("nodes")).isEqualTo(future.path("wanted").path("nodes"));
    assertThat(there.path("actual").path("exists").booleanValue()).isTrue();
    assertThat(there.path("differences").findValuesAsText("what"))
        .contains("the file's replication is 1, not 2")
        .hasSizeGreaterThan(1);
  }

  @Test
  void predictsNodesOfSpreadGroup() throws Exception {
    putHint("spread", "/alice/part/**", "collocate=g3,spread=3,replicas=1");
    Set<String> hosts = new HashSet<>();
    for (int i = 0; i < 12; i++) {
      String path = "/alice/part/" + i;
      JsonNode wanted = LocateCluster.json(cluster.explain("alice", path)).path("wanted");
      JsonNode ranked = cluster.ask("alice", "/v1/placements:rank", Set.of(path)).path("nodes");
      assertThat(ranked).as(path).hasSize(1);
      assertThat(ranked.path(0).path("host")).as(path).isEqualTo(wanted.path("nodes").path(0));
      hosts.add(ranked.path(0).path("host").textValue());
    }
    assertThat(hosts).hasSizeBetween(2, 3);
  }

  @Test
  void explainsOnlyVisibleFiles() throws Exception {
    for (String path : List.of("/closed/there", "/closed/none")) {
      HttpResponse<String> answer = cluster.explain("alice", path);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).doesNotContain("n1").contains("\"field\":\"path\"");
    }
    assertThat(cluster.explain("bob", "/closed/there").statusCode()).isEqualTo(200);
    assertThat(cluster.explain("alice", "/alice/sub").statusCode()).isEqualTo(400);
    assertThat(cluster.explain("alice", "alice").statusCode()).isEqualTo(400);
    assertThat(cluster.explain("alice", "hdfs://elsewhere/x").statusCode()).isEqualTo(400);
  }

  @Test
  void infersForCurrentCluster() throws Exception {
    HttpResponse<String> answer =
        cluster.post("alice", "/v1/workflows:infer?directory=/alice/w", Workflows.TWO_STEPS);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode rules = LocateCluster.json(answer).path("rules");
    assertThat(rules.findValuesAsText("pattern")).contains("/alice/w/between");
    assertThat(rules.path(0).path("text").textValue()).isNotBlank();
    assertThat(rules.path(0).path("reason").textValue()).isNotBlank();
    assertThat(rules.path(0).path("hint").isObject()).isTrue();
  }

  private void putHint(String id, String pattern, String hint) throws Exception {
    Rule rule = new Rule(PathPattern.parse(pattern), HintText.parse(hint));
    assertThat(cluster.store().put(new HintSet(id, "alice", null, List.of(rule)))).isPositive();
  }

  private JsonNode locate(String user, String path) throws Exception {
    ArrayNode files = (ArrayNode) cluster.ask(user, "/v1/locations", Set.of(path)).path("files");
    assertThat(files).hasSize(1);
    return files.path(0);
  }

  private String error(String user, String path) throws Exception {
    return locate(user, path).path("error").textValue();
  }
}

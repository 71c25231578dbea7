package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintCodecTest {
  private static final String ALL =
      "{\"id\":\"run-1\",\"owner\":\"alice\",\"expires\":\"2030-01-31T12:00:00Z\",\"rules\":["
          + "{\"pattern\":\"/a/*\",\"hint\":{\"placement\":{\"kind\":\"local\"},"
          + "\"replication\":{\"target\":3,\"mode\":\"lazy\"},\"block-size\":1048576,"
          + "\"lifetime\":{\"temporary\":true,\"expiry\":\"PT12H\"},\"cache\":true}},"
          + "{\"pattern\":\"/b\",\"hint\":{\"placement\":{\"kind\":\"collocate\",\"group\":\"g\"},"
          + "\"replication\":{\"mode\":\"eager\"}}},"
          + "{\"pattern\":\"/c\",\"hint\":{\"placement\":{\"kind\":\"scatter\","
          + "\"region-bytes\":2097152}}},"
          + "{\"pattern\":\"/d\",\"hint\":{\"placement\":{\"kind\":\"spread\"}}},"
          + "{\"pattern\":\"/e\",\"hint\":{\"placement\":{\"kind\":\"nodes\","
          + "\"hosts\":[\"n1\",\"n2\"]},\"lifetime\":{\"temporary\":false}}},"
          + "{\"pattern\":\"/f\",\"hint\":{\"replication\":{\"auto\":{\"min\":1,\"max\":8}}}},"
          + "{\"pattern\":\"/g\",\"hint\":{\"replication\":{\"auto\":{\"max\":9}}}},"
          + "{\"pattern\":\"/h\",\"hint\":{}}]}";

  @Test
  void writesBackExactlyWhatItRead() {
    assertThat(HintCodec.toJson(HintCodec.fromJson(ALL, "test"))).isEqualTo(ALL);
  }

  @Test
  void readsEveryPart() {
    HintSet set = HintCodec.fromJson(ALL, "test");
    assertThat(set.id()).isEqualTo("run-1");
    assertThat(set.owner()).isEqualTo("alice");
    assertThat(set.expires()).isEqualTo(Instant.parse("2030-01-31T12:00:00Z"));
    Hint first =
        Hint.builder()
            .placement(new Placement.Local())
            .replication(new Replication(3, Replication.Mode.LAZY))
            .blockSize(1 << 20)
            .lifetime(new Lifetime(true, Duration.ofHours(12)))
            .cache(true)
            .build();
    assertThat(set.rules().get(0)).isEqualTo(new Rule(PathPattern.parse("/a/*"), first));
    assertThat(set.rules().get(5).hint().replication())
        .hasValue(Replication.auto(new AutoRange(1, 8)));
    assertThat(set.rules().get(4).hint().placement())
        .hasValue(new Placement.Nodes(List.of("n1", "n2")));
  }

  @Test
  void readsPresetsByName() {
    assertThat(hint("\"pipeline\"")).isEqualTo(HintPresets.pipeline());
    assertThat(hint("\"broadcast(4)\"")).isEqualTo(HintPresets.broadcast(4));
    assertThat(hint("\"reduce(g 1)\"")).isEqualTo(HintPresets.reduce("g 1"));
    assertThat(hint("\"scatter(1048576)\"")).isEqualTo(HintPresets.scatter(1 << 20));
    assertThat(hint("\"gather(1048576)\"")).isEqualTo(HintPresets.gather(1 << 20));
    assertThat(hint("\"reuse\"")).isEqualTo(HintPresets.reuse());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"nonsense\"          | : hint 'nonsense' has a word 'nonsense' that is not known at"
            + " offset 0; write pipeline",
        "\"broadcast(x)\"      | : hint 'broadcast(x)' has 'x', which is not a whole number",
        "\"broadcast(99999999999)\" | which is out of range",
        "\"broadcast(-1)\"     | : hint 'broadcast(-1)' has -1, which is out of range",
        "\"pipeline()\"        | : hint 'pipeline()' has a word 'pipeline()' that is not known",
        "7                     | : is the number 7, not an object; write { ... } there",
        "{\"colour\":1}        | /colour: is not a known field; remove it; known are placement",
        "{\"placement\":{}}    | /placement: has no field 'kind'; add the field 'kind'",
        "{\"placement\":\"local\"} | /placement: is the text 'local', not an object",
        "{\"placement\":{\"kind\":\"near\"}} | /placement/kind: 'near' is not a placement; write"
            + " local",
        "{\"placement\":{\"kind\":\"local\",\"group\":\"g\"}} | /placement/group: is not a known",
        "{\"placement\":{\"kind\":\"collocate\",\"group\":\"\"}} | /placement/group: group name ''",
        "{\"placement\":{\"kind\":\"scatter\",\"region-bytes\":0}} | /placement/region-bytes:"
            + " region",
        "{\"placement\":{\"kind\":\"nodes\",\"hosts\":[]}} | /placement/hosts: list of hosts is"
            + " empty",
        "{\"placement\":{\"kind\":\"nodes\",\"hosts\":[\"a\",1]}} | /placement/hosts/1: is the"
            + " number",
        "{\"replication\":{\"target\":-1,\"mode\":\"lazy\"}} | /replication/target: replication of"
            + " -1 is negative; write 1 to 512",
        "{\"replication\":{\"target\":0,\"mode\":\"lazy\"}} | /replication/target: replication of 0"
            + " is out of range; write 1 to 512, or leave",
        "{\"replication\":{\"target\":513,\"mode\":\"lazy\"}} | replication of 513 is too high",
        "{\"replication\":{\"target\":99999999999,\"mode\":\"lazy\"}} | /replication/target: ",
        "{\"replication\":{\"target\":1.5,\"mode\":\"lazy\"}} | /target: is the number 1.5, not a"
            + " whole",
        "{\"replication\":{\"target\":3}} | /replication: has no field 'mode'",
        "{\"replication\":{\"mode\":\"soon\"}} | /replication/mode: 'soon' is not a replication"
            + " mode",
        "{\"replication\":{\"auto\":3}} | /replication/auto: is the number 3, not an object",
        "{\"replication\":{\"auto\":{\"min\":9}}} | /replication/auto: auto replication of 9 to 8 is"
            + " empty",
        "{\"replication\":{\"auto\":{\"min\":0}}} | /replication/auto/min: replication of 0 is out of"
            + " range; write 1 to 512",
        "{\"replication\":{\"auto\":{},\"mode\":\"lazy\"}} | /replication/mode: is not a known field",
        "{\"block-size\":1000} | /block-size: block size of 1000 bytes is not allowed by HDFS",
        "{\"block-size\":\"1m\"} | /block-size: is the text '1m', not a whole number",
        "{\"lifetime\":{\"temporary\":\"yes\"}} | /lifetime/temporary: is the text 'yes', not true",
        "{\"lifetime\":{\"temporary\":false,\"expiry\":\"PT1H\"}} | /lifetime: expiry of PT1H",
        "{\"lifetime\":{\"temporary\":true,\"expiry\":\"1h\"}} | /lifetime/expiry: '1h' is not a"
            + " duration",
        "{\"cache\":null}      | /cache: is null, not true or false",
        "{\"a/b~c\":1}         | /a~1b~0c: is not a known field",
      })
  void rejectsHintWithPositionAndRemedy(String hint, String message) {
    assertThatThrownBy(() -> hint(hint))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageStartingWith("hints.json: /rules/0/hint")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                          | hints.json: is empty; write a JSON object",
        "[]                                          | hints.json: the document: is an array, not"
            + " an",
        "{\"id\":\"a\"                               | hints.json: line 1, column",
        "{\"id\":\"a\",\"id\":\"b\"}                 | Duplicate field 'id'",
        "{} {}                                       | hints.json: line 1",
        "{\"owner\":\"o\",\"rules\":[]}              | hints.json: the document: has no field 'id'",
        "{\"id\":\"../x\",\"owner\":\"o\",\"rules\":[]} | hint set id '../x' is not valid; write 1",
        "{\"id\":\"a\",\"owner\":\" \",\"rules\":[]} | owner is blank; write a user name",
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":{}} | hints.json: /rules: is an object, not an"
            + " array",
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":[{}]} | hints.json: /rules/0: has no field"
            + " 'pattern'",
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":[{\"pattern\":\"a/b\",\"hint\":{}}]} | hints.json:"
            + " /rules/0/pattern: pattern 'a/b' is a relative path at offset 0",
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":[{\"pattern\":\"/{a\",\"hint\":{}}]} | hints.json:"
            + " /rules/0/pattern: pattern '/{a' has a brace that is not closed at offset 1",
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":[{\"pattern\":\"/a\",\"hint\":{}},{\"pattern\":\"/a\",\"hint\":{}}]}"
            + " | pattern '/a' occurs twice",
        "{\"id\":\"a\",\"owner\":\"o\",\"expires\":\"soon\",\"rules\":[]} | hints.json: /expires:"
            + " 'soon' is not a time",
      })
  void rejectsSetWithPositionAndRemedy(String json, String message) {
    assertThatThrownBy(() -> HintCodec.fromJson(json, "hints.json"))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageStartingWith("hints.json: ")
        .hasMessageContaining(message);
  }

  private static Hint hint(String json) {
    String set =
        "{\"id\":\"a\",\"owner\":\"o\",\"rules\":[{\"pattern\":\"/a\",\"hint\":" + json + "}]}";
    return HintCodec.fromJson(set, "hints.json").rules().get(0).hint();
  }

  @Test
  void readsWhatItUnderstandsOfANewerFormat() {
    HintSet set =
        HintCodec.fromJson(
            """
            {"format": 2, "id": "s", "owner": "alice", "colour": "red", "rules": [
              {"pattern": "/a/**", "hint": {"replication": {"mode": "lazy"}, "tier": "ssd"}},
              {"pattern": "/b/**", "hint": {"placement": {"kind": "orbit"}}},
              {"pattern": "/c/**", "hint": "pipeline", "weight": 7}]}
            """,
            "znode");
    assertThat(set.rules())
        .extracting(rule -> rule.pattern().toString())
        .containsExactly("/a/**", "/c/**");
    assertThat(set.rules().get(0).hint().replication()).hasValue(Replication.lazy());
  }

  @Test
  void aSetWithoutAFormatHasTheFirst() {
    HintSet set = new HintSet("s", "alice", null, List.of());
    assertThat(HintCodec.toJson(set)).isEqualTo("{\"id\":\"s\",\"owner\":\"alice\",\"rules\":[]}");
    assertThat(HintCodec.fromJson("{\"format\":1," + HintCodec.toJson(set).substring(1), "znode"))
        .isEqualTo(set);
    assertThatThrownBy(
            () ->
                HintCodec.fromJson(
                    "{\"format\":1,\"colour\":1,\"id\":\"s\",\"owner\":\"a\",\"rules\":[]}",
                    "znode"))
        .hasMessageContaining("/colour: is not a known field");
  }
}

package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pipeline                            | pipeline",
        "broadcast=8                         | broadcast=8",
        "broadcast(8)                        | broadcast=8",
        "reduce=group1                       | reduce=group1",
        "reduce(group (1), all)              |"
            + " '{\"placement\":{\"kind\":\"collocate\",\"group\":\"group (1),"
            + " all\"},\"replication\":{\"mode\":\"lazy\"}}'",
        "reduce=g, temporary                 | reduce=g,temporary",
        "reduce=g,spread=4,temporary=24h     | reduce=g,spread=4,temporary=1d",
        "scatter=64m                         | scatter=64m",
        "scatter=67108864                    | scatter=64m",
        "scatter(1048576)                    | scatter=1m",
        "gather=1536k                        | gather=1536k",
        "reuse                               | reuse",
        "keep,cache                          | reuse",
        "local                               | local",
        "local,lazy                          | pipeline",
        "local,lazy=3                        | local,lazy=3",
        "collocate=g,replicas=2              | collocate=g,replicas=2",
        "region=10m,block=5m                 | region=10m,block=5m",
        "nodes=n1+n2                         | nodes=n1+n2",
        "spread                              | spread",
        "replicas=3                          | broadcast=3",
        "block=1g,keep                       | block=1g,keep",
        "temporary=90s                       | temporary=90s",
        "temporary=PT90M                     | temporary=90m",
        "temporary=500ms                     | temporary=PT0.5S",
        "cache                               | cache",
        "eager                               | eager",
        "auto                                | auto",
        "auto=..8                            | auto",
        "auto=1..8                           | auto=1..8",
        "local, auto = 2 .. 16               | local,auto=2..16",
        "stock                               | stock",
        "DP=local                            | local",
        "DP=collocation g                    | collocate=g",
        "dp=Scatter 64m                      | scatter=64m",
        "Replication=4                       | broadcast=4",
        "DP=local,Replication=4              | local,replicas=4",
        "'{\"cache\":true}'                  | cache",
      })
  void readsAndWrites(String text, String shortest) {
    Hint hint = HintText.parse(text);
    assertThat(HintText.format(hint)).isEqualTo(shortest);
    assertThat(HintText.parse(shortest)).isEqualTo(hint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                  | hint '' has an empty word at offset 0; write pipeline,",
        "pipelines           | hint 'pipelines' has a word 'pipelines' that is not known at offset"
            + " 0; did you mean 'pipeline'?",
        "brodcast            | that is not known at offset 0; did you mean 'broadcast'?",
        "local,wide=3        | has a word 'wide' that is not known at offset 6; write",
        "broadcast=x         | has 'x', which is not a whole number at offset 0; write digits",
        "broadcast(x)        | has 'x', which is not a whole number at offset 0; write digits",
        "broadcast=0         | asks for no replicas at offset 0; write 1 to 512",
        "broadcast=513       | at offset 0: replication of 513 is too high; write 1 to 512",
        "local,spread        | sets the placement twice, with 'local' and 'spread' at offset 6;"
            + " leave",
        "pipeline,replicas=3 | sets the replication twice, with 'pipeline' and 'replicas' at offset"
            + " 9",
        "spread=3            | has a spread without a group at offset 0; write collocate=GROUP",
        "reduce=g,spread=0   | group spread over 0 nodes; write 1 to 1024",
        "reduce=             | at offset 0: group name '' is blank",
        "scatter=64x         | at offset 0: size '64x' is invalid; write bytes, or",
        "gather=99999999t    | at offset 0: size '99999999t' is too large",
        "block=1000          | block size of 1000 bytes is not allowed by HDFS",
        "temporary=soon      | at offset 0: duration 'soon' is invalid; write one such as 90s",
        "DP=everywhere       | has a placement 'everywhere' that is not known at offset 0; write"
            + " DP=local",
        "local,,lazy         | has an empty word at offset 6",
        "nodes=a++b          | host name is blank",
        "auto=3              | has '3', which is not a range at offset 0; write auto=1..8",
        "auto=5..3           | at offset 0: auto replication of 5 to 3 is empty; write the smaller"
            + " number first, such as 3..5",
        "auto=0..3           | asks for no replicas at offset 0; write 1 to 512",
        "auto=1..            | has '', which is not a whole number at offset 0; write digits",
        "auto=1..513         | at offset 0: auto replication of 1 to 513 is out of range; write 1 to"
            + " 512",
        "lazy,auto           | sets the replication twice, with 'lazy' and 'auto' at offset 5",
        "pipeline()          | has a word 'pipeline()' that is not known",
      })
  void rejectsWithOffsetAndRemedy(String text, String message) {
    assertThatThrownBy(() -> HintText.parse(text))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageContaining(message);
  }

  @Test
  void formattedHintParsesToEqualHint() {
    for (int seed = 0; seed < 20_000; seed++) {
      Hint hint = new RandomHints(new Random(seed)).next();
      String text = HintText.format(hint);
      assertThat(HintText.parse(text)).as("seed %d: %s", seed, text).isEqualTo(hint);
      assertThat(HintCodec.hintFromJson(HintCodec.hintToJson(hint), "json")).isEqualTo(hint);
    }
  }

  @Test
  void singlePathSetIdIsRecognised() {
    String id = SinglePathSets.idFor("/data/x y*");
    assertThat(HintSet.requireId(id)).hasSize(37).startsWith("path-");
    assertThat(SinglePathSets.isOne(id)).isTrue();
    assertThat(SinglePathSets.isOne("path-to-glory")).isFalse();
    assertThat(SinglePathSets.idFor("/data/x")).isNotEqualTo(id);
  }
}

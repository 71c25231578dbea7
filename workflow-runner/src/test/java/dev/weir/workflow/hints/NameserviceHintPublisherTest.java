package dev.weir.workflow.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameserviceHintPublisherTest {

  @Test
  void namesTheNameserviceInRulesThatNameNone() throws Exception {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    HintPublisher publisher =
        new NameserviceHintPublisher(new StoreHintPublisher(store.withRole("")), "ns1");

    publisher.put(
        new HintSet("run-1", "alice", null, List.of(rule("/data/a\\*b/*"), rule("hdfs://ns2/b"))));

    assertThat(store.find("run-1").orElseThrow().set().rules())
        .containsExactly(rule("hdfs://ns1/data/a\\*b/*"), rule("hdfs://ns2/b"));
  }

  @ParameterizedTest
  @CsvSource({
    "viewfs://all, hdfs://ns1, true",
    "hdfs://ns2, hdfs://ns1, true",
    "hdfs://ns1, hdfs://ns1, false",
    "hdfs://router, hdfs://router, false",
    "viewfs://all, hdfs://host:8020, false"
  })
  void isNeededForANameserviceThatIsNotTheDefault(String by, String fileSystem, boolean needed) {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", by);
    conf.set("dfs.nameservices", "ns1,ns2,router");

    assertThat(NameserviceHintPublisher.isNeeded(conf, URI.create(fileSystem))).isEqualTo(needed);
  }

  private static Rule rule(String pattern) {
    return new Rule(PathPattern.parse(pattern), HintPresets.pipeline());
  }
}

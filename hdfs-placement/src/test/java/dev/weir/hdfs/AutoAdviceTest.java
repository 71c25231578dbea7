package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The replication of a new file under {@code auto}. */
class AutoAdviceTest {

  @Test
  void aFileBeginsWithItsOwnReplicationAndAtLeastTheMinimum() {
    assertThat(replication("auto=4..8", 3)).isEqualTo(4);
    assertThat(replication("auto=4..8", 5)).isEqualTo(5);
    assertThat(replication("auto=1..8", 3)).isEqualTo(3);
    assertThat(replication("auto", 3)).isEqualTo(3);
  }

  private static int replication(String hint, int own) {
    Rule rule = new Rule(PathPattern.parse("/a/**"), HintText.parse(hint));
    HintSet set = new HintSet("s", "alice", null, List.of(rule));
    byte[] rules = ClientRules.of(HintIndex.of(List.of(set))).value();
    // A process keeps the rules of a file system for minutes.
    URI fileSystem = URI.create("hdfs://nn-" + Integer.toHexString(hint.hashCode()) + "-" + own);
    FileAdvice advice = FileAdvice.of(fileSystem, new Configuration(), () -> rules);
    return advice.replication("/a/x", (short) own);
  }
}

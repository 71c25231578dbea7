package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Presets;
import dev.weir.hints.Replication;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class FileDefaultsTest {
  private static final FileDefaults STANDARD = FileDefaults.of(new Configuration(false));
  private static final Hint COLLOCATED =
      Hint.builder().placement(new Placement.Collocate("g")).build();

  @Test
  void aFileThatIsKeptHasItsOwnReplicationUnlessTheHintNamesOne() {
    assertThat(STANDARD.replication(Presets.pipeline())).isEmpty();
    assertThat(STANDARD.replication(Presets.reduce("g"))).isEmpty();
    assertThat(STANDARD.replication(Presets.broadcast(7))).hasValue(7);
    Hint lazyFive = Hint.builder().replication(new Replication(5, Replication.Mode.LAZY)).build();
    assertThat(STANDARD.replication(lazyFive)).hasValue(5);
  }

  @Test
  void aTemporaryFileHasOneReplicaUnlessItsReadersWantMore() {
    assertThat(STANDARD.replication(temporary(Presets.pipeline()))).hasValue(1);
    Hint local = Hint.builder().placement(new Placement.Local()).build();
    assertThat(STANDARD.replication(temporary(local))).hasValue(1);
    assertThat(STANDARD.replication(temporary(Presets.broadcast(7)))).hasValue(7);
    assertThat(STANDARD.replication(temporary(Hint.builder().build()))).isEmpty();
  }

  @Test
  void aTemporaryCollocatedFileHasOneReplicaOnTheAnchorAndIfLazyOneWithItsWriter() {
    assertThat(STANDARD.replication(temporary(COLLOCATED))).hasValue(1);
    assertThat(STANDARD.replication(temporary(Presets.reduce("g")))).hasValue(2);
  }

  @Test
  void advisesNothingThatTheClusterRefuses() {
    FileDefaults narrow = new FileDefaults(2, 4, 4 << 20, 512);
    assertThat(narrow.replication(temporary(Presets.pipeline()))).hasValue(2);
    assertThat(narrow.replication(Presets.broadcast(9))).hasValue(4);
    assertThat(narrow.blockSize(Presets.scatter(2 << 20))).isEmpty();
    assertThat(narrow.blockSize(Presets.scatter(4 << 20))).hasValue(4 << 20);
    FileDefaults coarse = new FileDefaults(1, 512, 1 << 20, 4096);
    assertThat(coarse.blockSize(Presets.scatter((1 << 20) + 512))).isEmpty();
  }

  @Test
  void readsTheLimitsOfTheConfiguration() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.replication.min", "2");
    conf.set("dfs.replication.max", "9");
    conf.set("dfs.namenode.fs-limits.min-block-size", "2m");
    conf.set("dfs.bytes-per-checksum", "1024");
    assertThat(FileDefaults.of(conf)).isEqualTo(new FileDefaults(2, 9, 2 << 20, 1024));
    assertThat(STANDARD).isEqualTo(new FileDefaults(1, 512, 1 << 20, 512));
  }

  private static Hint temporary(Hint hint) {
    return hint.toBuilder().lifetime(Lifetime.scratch()).build();
  }
}

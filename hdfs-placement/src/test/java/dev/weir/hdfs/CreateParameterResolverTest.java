package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class CreateParameterResolverTest {
  private static final CreateParameterResolver STANDARD =
      CreateParameterResolver.of(new Configuration(false));
  private static final long STOCK = 128 << 20;
  private static final Hint COLLOCATED =
      Hint.builder().placement(new Placement.Collocate("g")).build();

  @Test
  void aPermanentFileKeepsItsReplicationUnlessTheHintNamesOne() {
    assertThat(STANDARD.replication(HintPresets.pipeline())).isEmpty();
    assertThat(STANDARD.replication(HintPresets.reduce("g"))).isEmpty();
    assertThat(STANDARD.replication(HintPresets.broadcast(7))).hasValue(7);
    Hint lazyFive = Hint.builder().replication(new Replication(5, Replication.Mode.LAZY)).build();
    assertThat(STANDARD.replication(lazyFive)).hasValue(5);
  }

  @Test
  void aTemporaryFileHasOneReplicaUnlessItsReadersNeedMore() {
    assertThat(STANDARD.replication(temporary(HintPresets.pipeline()))).hasValue(1);
    Hint local = Hint.builder().placement(new Placement.Local()).build();
    assertThat(STANDARD.replication(temporary(local))).hasValue(1);
    assertThat(STANDARD.replication(temporary(HintPresets.broadcast(7)))).hasValue(7);
    assertThat(STANDARD.replication(temporary(Hint.builder().build()))).isEmpty();
  }

  @Test
  void aTemporaryCollocatedFileHasOneReplicaOnTheAnchorAndIfLazyOneWithItsWriter() {
    assertThat(STANDARD.replication(temporary(COLLOCATED))).hasValue(1);
    assertThat(STANDARD.replication(temporary(HintPresets.reduce("g")))).hasValue(2);
  }

  @Test
  void advisesNothingThatTheClusterRefuses() {
    CreateParameterResolver narrow = new CreateParameterResolver(2, 4, 4 << 20, 512);
    assertThat(narrow.replication(temporary(HintPresets.pipeline()))).hasValue(2);
    assertThat(narrow.replication(HintPresets.broadcast(9))).hasValue(4);
    Hint small = Hint.builder().blockSize(2 << 20).build();
    assertThat(narrow.blockSize(small, STOCK)).isEmpty();
    assertThat(STANDARD.blockSize(small, STOCK)).hasValue(2 << 20);
    CreateParameterResolver coarse = new CreateParameterResolver(1, 512, 1 << 20, 4096);
    assertThat(coarse.blockSize(Hint.builder().blockSize((1 << 20) + 512).build(), STOCK))
        .isEmpty();
  }

  @Test
  void aRegionUpToAStockBlockIsABlock() {
    assertThat(STANDARD.blockSize(HintPresets.scatter(4 << 20), STOCK)).hasValue(4 << 20);
    assertThat(STANDARD.blockSize(HintPresets.scatter(STOCK), STOCK)).hasValue(STOCK);
    assertThat(STANDARD.blockSize(scatter(4 << 20), STOCK)).hasValue(4 << 20);
  }

  @Test
  void aLargerRegionIsAWholeNumberOfBlocksOfLegalSize() {
    assertThat(STANDARD.blockSize(HintPresets.scatter(10 * STOCK), STOCK)).hasValue(STOCK);
    assertThat(STANDARD.blockSize(scatter(3 * STOCK / 2), STOCK)).hasValue(3 * STOCK / 4);
    Random random = new Random(4);
    for (int i = 0; i < 1000; i++) {
      long region = 512L * (2048 + random.nextInt(1 << 24));
      long block = STANDARD.blockSize(scatter(region), STOCK).orElseThrow();
      assertThat(region % block).as("region %d of blocks of %d", region, block).isZero();
      assertThat(block % 512).isZero();
      assertThat(block).isGreaterThanOrEqualTo(1 << 20);
    }
  }

  @Test
  void theHintsBlockSizeLimitsTheBlocksOfARegion() {
    Hint named = scatter(64 << 20).toBuilder().blockSize(16 << 20).build();
    assertThat(STANDARD.blockSize(named, STOCK)).hasValue(16 << 20);
    Hint odd = scatter(64 << 20).toBuilder().blockSize(24 << 20).build();
    assertThat(STANDARD.blockSize(odd, STOCK)).hasValue(64 << 18);
  }

  @Test
  void blocksHoldWholeRegionsIfRegionsAreTooSmall() {
    assertThat(STANDARD.blockSize(scatter(300 << 10), STOCK)).hasValue(1200 << 10);
    assertThat(STANDARD.blockSize(scatter(512), STOCK)).hasValue(1 << 20);
  }

  @Test
  void aRegionThatNoBlockSizeDividesHasStockBlocks() {
    assertThat(STANDARD.blockSize(scatter((4 << 20) + 1), STOCK)).isEmpty();
    assertThat(STANDARD.blockSize(scatter(Long.MAX_VALUE), STOCK)).isEmpty();
  }

  @Test
  void readsTheLimitsOfTheConfiguration() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.replication.min", "2");
    conf.set("dfs.replication.max", "9");
    conf.set("dfs.namenode.fs-limits.min-block-size", "2m");
    conf.set("dfs.bytes-per-checksum", "1024");
    assertThat(CreateParameterResolver.of(conf))
        .isEqualTo(new CreateParameterResolver(2, 9, 2 << 20, 1024));
    assertThat(STANDARD).isEqualTo(new CreateParameterResolver(1, 512, 1 << 20, 512));
  }

  private static Hint scatter(long region) {
    return Hint.builder().placement(new Placement.Scatter(region)).build();
  }

  private static Hint temporary(Hint hint) {
    return hint.toBuilder().lifetime(Lifetime.scratch()).build();
  }
}

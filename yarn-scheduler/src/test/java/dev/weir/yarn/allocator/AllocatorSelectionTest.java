package dev.weir.yarn.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.WeirPlacementAllocator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class AllocatorSelectionTest {

  private final Configuration conf = new Configuration(false);

  /** The constants of a YARN without the cluster key. */
  public static final class Older {
    private Older() {}
  }

  @Test
  void theClusterKeySelectsWeir() {
    conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(AllocatorSelection.usesWeir(null, conf)).isTrue();
    assertThat(AllocatorSelection.isClusterDefault(conf)).isTrue();
  }

  @Test
  void anOlderYarnIgnoresTheClusterKey() {
    conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(AllocatorSelection.usesWeir(null, conf, Older.class)).isFalse();
    assertThat(AllocatorSelection.isClusterDefault(conf, Older.class)).isFalse();
  }

  @Test
  void otherClassesAreNotWeir() {
    assertThat(AllocatorSelection.usesWeir(null, conf)).isFalse();
    conf.set(AllocatorSelection.CLUSTER_KEY, "com.example.Other");

    assertThat(AllocatorSelection.usesWeir(null, conf)).isFalse();
    assertThat(AllocatorSelection.isClusterDefault(conf)).isFalse();
  }
}

package dev.weir.yarn.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.WeirPlacementAllocator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class AllocatorSelectionTest {

  private final Configuration conf = new Configuration(false);

  /** The constants of a YARN that does not have the one in question. */
  public static final class Older {
    private Older() {}
  }

  @Test
  void allApplicationsGetOursWhereItIsSet() {
    conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(AllocatorSelection.isOurs(null, conf)).isTrue();
    assertThat(AllocatorSelection.loaded(conf)).isTrue();
  }

  @Test
  void noneGetsOursFromAYarnThatDoesNotHeedTheSetting() {
    conf.set(AllocatorSelection.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(AllocatorSelection.isOurs(null, conf, Older.class)).isFalse();
    assertThat(AllocatorSelection.loaded(conf, Older.class)).isFalse();
  }

  @Test
  void noneGetsOursWhereAnotherIsSet() {
    assertThat(AllocatorSelection.isOurs(null, conf)).isFalse();
    conf.set(AllocatorSelection.CLUSTER_KEY, "com.example.Other");

    assertThat(AllocatorSelection.isOurs(null, conf)).isFalse();
    assertThat(AllocatorSelection.loaded(conf)).isFalse();
  }
}

package dev.weir.yarn.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.WeirPlacementAllocator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class AllocatorsTest {

  private final Configuration conf = new Configuration(false);

  /** The constants of a YARN that does not have the one in question. */
  public static final class Older {
    private Older() {}
  }

  @Test
  void allApplicationsGetOursWhereItIsSet() {
    conf.set(Allocators.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(Allocators.isOurs(null, conf)).isTrue();
    assertThat(Allocators.loaded(conf)).isTrue();
  }

  @Test
  void noneGetsOursFromAYarnThatDoesNotHeedTheSetting() {
    conf.set(Allocators.CLUSTER_KEY, WeirPlacementAllocator.class.getName());

    assertThat(Allocators.isOurs(null, conf, Older.class)).isFalse();
    assertThat(Allocators.loaded(conf, Older.class)).isFalse();
  }

  @Test
  void noneGetsOursWhereAnotherIsSet() {
    assertThat(Allocators.isOurs(null, conf)).isFalse();
    conf.set(Allocators.CLUSTER_KEY, "com.example.Other");

    assertThat(Allocators.isOurs(null, conf)).isFalse();
    assertThat(Allocators.loaded(conf)).isFalse();
  }
}

package dev.weir.bench.morph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class MorphSetupTest {
  @Test
  void setupsWithABudgetAreThereForEach() {
    List<MorphSetup> all = MorphSetup.of(MorphSetup.labels(), MorphWorkload.VIDEO.budgets(), 4);

    assertThat(all)
        .extracting(MorphSetup::label)
        .hasSize(6 + 4 * 3)
        .contains("jbod", "mirror-4", "weir-laas", "weir-udr-1.2", "weir-2.2", "ideal-1.6");
    assertThat(all).allMatch(setup -> MorphSetup.ofLabel(setup.label()).equals(setup));
  }

  @Test
  void unknownAndImpossibleOnesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MorphSetup.of(List.of("raid-5"), List.of(), 4))
        .withMessageContaining("raid-5")
        .withMessageContaining("mirror-2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MorphSetup.of(List.of("mirror-4"), List.of(), 3))
        .withMessageContaining("3 nodes");
  }

  @Test
  void replicasBeginAsTheSetupHasThem() {
    AccessPattern pattern = AccessPattern.of(MorphWorkload.VIDEO, 10, 1);

    assertThat(MorphSetup.ofLabel("mirror-3").replicas(pattern, 4)).containsOnly(3).hasSize(10);
    assertThat(MorphSetup.ofLabel("weir-2.2").replicas(pattern, 4)).containsOnly(1);
    assertThat(MorphSetup.ofLabel("ideal-1.6").replicas(pattern, 4))
        .isEqualTo(KnownReplicas.byUtility(pattern, 1.6, 4));
    assertThat(MorphSetup.ofLabel("scarlett-1.6").replicas(pattern, 4))
        .isEqualTo(KnownReplicas.byPopularity(pattern, 1.6, 4));
  }
}

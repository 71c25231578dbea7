package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintText;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbeTest {
  private static Probe probe(String name) {
    return Probe.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static String fault(String name, List<List<Set<String>>> blocks) {
    return probe(name).rule().fault(blocks);
  }

  @Test
  void hintsOfProbesAreValid() {
    assertThat(Probe.all()).allSatisfy(probe -> HintText.parse(probe.hint()));
  }

  @Test
  void replicasAreCounted() {
    assertThat(fault("pipeline", List.of(List.of(Set.of("a"))))).isEmpty();
    assertThat(fault("pipeline", List.of(List.of(Set.of("a", "b"))))).contains("2 copies");
    assertThat(fault("broadcast", List.of(List.of(Set.of("a", "b"))))).isEmpty();
    assertThat(fault("broadcast", List.of(List.of(Set.of("a"))))).contains("1 copies, not 2");
  }

  @Test
  void filesOfAGroupMustShareNodes() {
    List<Set<String>> here = List.of(Set.of("a", "b"));
    assertThat(fault("reduce", List.of(here, here, here))).isEmpty();
    assertThat(fault("reduce", List.of(here, List.of(Set.of("a", "c"))))).contains("[a, c]");
  }

  @Test
  void regionsMustAlternateBetweenNodes() {
    Set<String> a = Set.of("a");
    Set<String> b = Set.of("b");
    assertThat(fault("scatter", List.of(List.of(a, b, a, b, a, b)))).isEmpty();
    assertThat(fault("scatter", List.of(List.of(a, b, b, a, b, a)))).contains("region 2");
    assertThat(fault("scatter", List.of(List.of(a, a, a, a, a, a)))).contains("all regions");
    assertThat(fault("scatter", List.of(List.of(a)))).contains("1 blocks");
  }
}

package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApplicationInputsTest {

  @Test
  void readsThePropertyBeforeTags() {
    assertThat(
            ApplicationInputs.of(
                Map.of(ApplicationInputs.KEY, "/a,/b;k=2"), Set.of("weir.inputs=/c")))
        .isEqualTo("weir:/a,/b;k=2");
    assertThat(ApplicationInputs.of(Map.of(ApplicationInputs.KEY, "weir:/a"), Set.of()))
        .isEqualTo("weir:/a");
  }

  @Test
  void combinesTags() {
    assertThat(
            ApplicationInputs.of(
                Map.of(), List.of("x", "weir.inputs=/a", "weir.inputs=%2F%42;rate=7")))
        .isEqualTo("weir:/a,/B;rate=7");
  }

  @Test
  void isNullWithoutValidInputs() {
    assertThat(ApplicationInputs.of(null, null)).isNull();
    assertThat(ApplicationInputs.of(Map.of("other", "/a"), Set.of("weir", "weir.inputs"))).isNull();
    assertThat(ApplicationInputs.of(Map.of(ApplicationInputs.KEY, "relative"), Set.of())).isNull();
  }

  @Test
  void isAddedToKeysWithoutFiles() {
    assertThat(
            ApplicationInputs.addTo(
                List.of(ask(1, "*", 3), ask(2, "h1", 1), ask(2, "*", 1), ask(3, "*", 0)),
                "weir:/in"))
        .extracting(each -> each.getPriority() + each.getResourceName() + each.getNumContainers())
        .containsExactly("1*3", "2h11", "2*1", "3*0", "1weir:/in3", "2weir:/in1", "3weir:/in0");
    assertThat(ApplicationInputs.addTo(List.of(ask("weir:/a", 1), ask("*", 1)), "weir:/in"))
        .hasSize(2);
  }
}

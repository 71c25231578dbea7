package dev.weir.workflow.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedLinksTest {

  private final SharedLinks links = new SharedLinks(100);
  private final List<String> over = new ArrayList<>();

  private void start(String from, String to, long bytes) {
    links.start(from, to, bytes, () -> over.add(from + to));
  }

  private void next(double expected) {
    double end = links.nextEnd();
    assertThat(end).isCloseTo(expected, within(1e-6));
    links.advance(end);
  }

  @Test
  void flowsShareTheSendersAndTheReceiversLink() {
    start("a", "b", 100);
    start("a", "c", 50);
    start("d", "e", 500);
    next(1);
    assertThat(over).containsExactly("ac");
    next(1.5);
    assertThat(over).containsExactly("ac", "ab");
    next(5);
    assertThat(links.nextEnd()).isInfinite();
    assertThat(links.moved()).isEqualTo(650);
  }

  @Test
  void bothDirectionsOfALinkAreIndependent() {
    start("a", "b", 100);
    start("b", "a", 100);
    next(1);
    assertThat(over).containsExactly("ab", "ba");
  }
}

package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkDemandTest {

  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");

  private final LinkDemand demands = new LinkDemand();

  @Test
  void aTaskHoldsTheLinksOfItsInputsUntilTheyShouldHaveCome() {
    demands.begin(W1, "a", Set.of("n3", "n4"), 2, 1_000);

    demands.expire(4_499);
    assertThat(demands.receiving()).containsExactly("n1");
    assertThat(demands.sending()).containsExactlyInAnyOrder("n3", "n4");

    demands.expire(4_500);
    assertThat(demands.receiving()).isEmpty();
    assertThat(demands.sending()).isEmpty();
  }

  @Test
  void anAttemptThatIsOverHoldsNone() {
    demands.begin(W1, "a", Set.of("n3"), 2, 0);
    demands.begin(W2, "a", Set.of("n3"), 2, 0);

    demands.end("w1", "a");
    demands.end("w1", "never begun");

    assertThat(demands.receiving()).containsExactly("n2");
    assertThat(demands.sending()).containsExactly("n3");
  }

  @Test
  void aWorkerThatIsGoneHoldsNone() {
    demands.begin(W1, "a", Set.of("n3"), 2, 0);
    demands.begin(W1, "b", Set.of("n4"), 2, 0);
    demands.begin(W2, "c", Set.of("n5"), 2, 0);

    demands.forget("w1");

    assertThat(demands.receiving()).containsExactly("n2");
    assertThat(demands.sending()).containsExactly("n5");
  }
}

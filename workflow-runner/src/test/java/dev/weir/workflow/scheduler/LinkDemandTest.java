package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkDemandTest {

  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");

  private final LinkDemand linkDemand = new LinkDemand();

  @Test
  void aTaskUsesItsLinksUntilItsInputsShouldHaveArrived() {
    linkDemand.begin(W1, "a", Set.of("n3", "n4"), 2, 1_000);

    linkDemand.expire(4_499);
    assertThat(linkDemand.receiving()).containsExactly("n1");
    assertThat(linkDemand.sending()).containsExactlyInAnyOrder("n3", "n4");

    linkDemand.expire(4_500);
    assertThat(linkDemand.receiving()).isEmpty();
    assertThat(linkDemand.sending()).isEmpty();
  }

  @Test
  void anEndedAttemptUsesNoLink() {
    linkDemand.begin(W1, "a", Set.of("n3"), 2, 0);
    linkDemand.begin(W2, "a", Set.of("n3"), 2, 0);

    linkDemand.end("w1", "a");
    linkDemand.end("w1", "never begun");

    assertThat(linkDemand.receiving()).containsExactly("n2");
    assertThat(linkDemand.sending()).containsExactly("n3");
  }

  @Test
  void aLostWorkerUsesNoLink() {
    linkDemand.begin(W1, "a", Set.of("n3"), 2, 0);
    linkDemand.begin(W1, "b", Set.of("n4"), 2, 0);
    linkDemand.begin(W2, "c", Set.of("n5"), 2, 0);

    linkDemand.forget("w1");

    assertThat(linkDemand.receiving()).containsExactly("n2");
    assertThat(linkDemand.sending()).containsExactly("n5");
  }
}

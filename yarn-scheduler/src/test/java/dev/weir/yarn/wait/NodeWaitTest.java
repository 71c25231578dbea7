package dev.weir.yarn.wait;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeWaitTest {
  @Test
  void coolsDownForAsLongAsItLasted() {
    NodeWait wait = NodeWait.from(1_000, 400, false);
    assertThat(wait.isCoolingDown(1_399)).isFalse();
    assertThat(wait.isCoolingDown(1_400)).isTrue();
    assertThat(wait.isCoolingDown(1_799)).isTrue();
    assertThat(wait.isCoolingDown(1_800)).isFalse();
  }

  @Test
  void anEndedWaitCoolsDownForItsActualLength() {
    NodeWait wait = NodeWait.from(1_000, 400, false);
    wait.endAt(1_100);
    assertThat(wait.isCoolingDown(1_199)).isTrue();
    assertThat(wait.isCoolingDown(1_200)).isFalse();
  }

  @Test
  void aWaitFromADeclinedNodeBeginsThere() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    assertThat(wait.isCoolingDown(500)).isFalse();
    wait.declined(1_000, true);
    assertThat(wait.isCoolingDown(1_399)).isFalse();
    assertThat(wait.isCoolingDown(1_400)).isTrue();
    assertThat(wait.isCoolingDown(1_800)).isFalse();
  }

  @Test
  void aWaitEndedBeforeItBeginsDoesNotBegin() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    wait.endAt(1_000);
    wait.declined(1_000, true);
    assertThat(wait.isOver(1_000)).isTrue();
  }

  @Test
  void dependsOnRoomUntilANodeWithRoomIsDeclined() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    wait.declined(1_000, false);
    assertThat(wait.dependsOnRoom()).isTrue();
    wait.declined(2_000, true);
    assertThat(wait.dependsOnRoom()).isFalse();
    assertThat(wait.isOver(2_399)).isFalse();
    assertThat(wait.isOver(2_400)).isTrue();
  }

  @Test
  void noWaitHasNoCoolDown() {
    assertThat(NodeWait.NONE.isCoolingDown(0)).isFalse();
    assertThat(NodeWait.from(1_000, 0, false).isCoolingDown(1_000)).isFalse();
  }
}

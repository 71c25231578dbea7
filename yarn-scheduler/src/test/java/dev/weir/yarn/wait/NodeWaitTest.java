package dev.weir.yarn.wait;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeWaitTest {
  @Test
  void restsForAsLongAsItLasted() {
    NodeWait wait = NodeWait.from(1_000, 400, false);
    assertThat(wait.rests(1_399)).isFalse();
    assertThat(wait.rests(1_400)).isTrue();
    assertThat(wait.rests(1_799)).isTrue();
    assertThat(wait.rests(1_800)).isFalse();
  }

  @Test
  void oneThatWasCutRestsForThatLong() {
    NodeWait wait = NodeWait.from(1_000, 400, false);
    wait.endBy(1_100);
    assertThat(wait.rests(1_199)).isTrue();
    assertThat(wait.rests(1_200)).isFalse();
  }

  @Test
  void oneThatBeginsWithADeclinedNodeLastsFromThere() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    assertThat(wait.rests(500)).isFalse();
    wait.declined(1_000, true);
    assertThat(wait.rests(1_399)).isFalse();
    assertThat(wait.rests(1_400)).isTrue();
    assertThat(wait.rests(1_800)).isFalse();
  }

  @Test
  void oneThatIsCutBeforeItBeginsDoesNotBegin() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    wait.endBy(1_000);
    wait.declined(1_000, true);
    assertThat(wait.over(1_000)).isTrue();
  }

  @Test
  void roomCountsUntilANodeWithRoomIsDeclined() {
    NodeWait wait = NodeWait.fromFirstDeclined(400, 10_000, false);
    wait.declined(1_000, false);
    assertThat(wait.countsRoom()).isTrue();
    wait.declined(2_000, true);
    assertThat(wait.countsRoom()).isFalse();
    assertThat(wait.over(2_399)).isFalse();
    assertThat(wait.over(2_400)).isTrue();
  }

  @Test
  void whatWasNoWaitNeedsNoRest() {
    assertThat(NodeWait.NONE.rests(0)).isFalse();
    assertThat(NodeWait.from(1_000, 0, false).rests(1_000)).isFalse();
  }
}

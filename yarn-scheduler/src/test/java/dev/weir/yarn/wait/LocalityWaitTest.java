package dev.weir.yarn.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.cluster.RoomEstimate;
import org.junit.jupiter.api.Test;

/** The length of a wait, and when it ends. */
class LocalityWaitTest {

  @Test
  void waitsForNoticeAndTransferUpToTheMaximum() {
    LocalityWait wait = new LocalityWait(0, 5_000, 1_000_000);

    assertThat(wait.millis(wait.transferMillis(0, 0), 100, 0)).isEqualTo(100);
    assertThat(wait.millis(wait.transferMillis(2_000_000, 0), 100, 0)).isEqualTo(2_100);
    assertThat(wait.millis(wait.transferMillis(Long.MAX_VALUE, 0), 100, 0)).isEqualTo(5_000);
  }

  @Test
  void doesNotWaitForFewBytes() {
    LocalityWait wait = new LocalityWait(50, 5_000, 1_000_000);

    assertThat(wait.millis(wait.transferMillis(49_000, 0), 100, 0)).isZero();
    assertThat(wait.millis(wait.transferMillis(50_000, 0), 100, 0)).isEqualTo(150);
  }

  @Test
  void doesNotWaitForRoomThatComesAfterTheTransfer() {
    LocalityWait wait = new LocalityWait(0, 5_000, 1_000_000);

    assertThat(wait.millis(1_000, 100, 1_100)).isEqualTo(1_100);
    assertThat(wait.millis(1_000, 100, 1_101)).isZero();
    assertThat(wait.millis(1_000_000, 100, 5_001)).isZero();
    assertThat(wait.millis(1_000, 100, RoomEstimate.NEVER)).isZero();
  }

  @Test
  void usesTheReportedRate() {
    LocalityWait wait = new LocalityWait(0, 5_000, 1_000_000);

    assertThat(wait.transferMillis(1_000_000, 0)).isEqualTo(1_000);
    assertThat(wait.transferMillis(1_000_000, 4_000_000)).isEqualTo(250);
  }

  @Test
  void aWaitBeginsWithTheFirstDeclinedNodeWithRoom() {
    NodeWait nodeWait = NodeWait.fromFirstDeclined(2_000, 10_000, false);
    assertThat(nodeWait.isOver(1_000_000)).isFalse();
    assertThat(nodeWait.remaining(1_000_000)).isEqualTo(2_000);
    nodeWait.declined(1_000_000, false);
    nodeWait.declined(1_003_000, true);
    nodeWait.declined(1_004_000, true);

    assertThat(nodeWait.remaining(1_004_000)).isEqualTo(1_000);
    assertThat(nodeWait.isOver(1_004_999)).isFalse();
    assertThat(nodeWait.isOver(1_005_000)).isTrue();
  }

  @Test
  void aWaitEndsAtItsLimitIfNoNodeHasRoom() {
    NodeWait nodeWait = NodeWait.fromFirstDeclined(2_000, 10_000, false);
    nodeWait.declined(1_000_000, false);
    nodeWait.declined(1_009_000, true);

    assertThat(nodeWait.isOver(1_009_999)).isFalse();
    assertThat(nodeWait.isOver(1_010_000)).isTrue();
  }

  @Test
  void aWaitIsShortenedButNotExtended() {
    NodeWait nodeWait = NodeWait.from(1_000_000, 2_000, false);
    nodeWait.endAt(1_003_000);
    assertThat(nodeWait.isOver(1_002_000)).isTrue();
    nodeWait.endAt(1_001_000);

    assertThat(nodeWait.isOver(1_001_000)).isTrue();
    assertThat(NodeWait.NONE.isOver(0)).isTrue();
    assertThat(NodeWait.NONE.isWait()).isFalse();
  }
}

package dev.weir.service.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.service.auto.AccessCounts.Count;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MergedCountsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant START = Instant.parse("2030-01-10T00:00:00Z");
  private static final URI FIRST = URI.create("http://nn1:9870");
  private static final URI SECOND = URI.create("http://nn2:9870");

  private final Map<URI, CountSource.Reading> answers = new HashMap<>();
  private Instant now = START;
  private final MergedCounts counts =
      new MergedCounts(
          List.of(FIRST, SECOND),
          nameNode -> {
            CountSource.Reading answer = answers.get(nameNode);
            if (answer == null) {
              throw new IOException("no answer");
            }
            return answer;
          },
          () -> now);

  @Test
  void addsTheCountsOfBothNameNodesAfterAFailover() {
    answer(FIRST, START.minus(DAY), 100);
    answer(SECOND, START.minus(DAY), 0);
    counts.refresh();
    assertThat(reads()).isEqualTo(100);
    answer(SECOND, START.minus(DAY), 7);
    counts.refresh();
    assertThat(reads()).isEqualTo(107);
    assertThat(counts.known()).isEqualTo(2);
  }

  @Test
  void keepsWhatADeadNameNodeHadCountedAndLetsItDecay() {
    answer(FIRST, START.minus(DAY), 100);
    answer(SECOND, START.minus(DAY), 0);
    counts.refresh();
    answers.remove(FIRST);
    now = START.plus(DAY);
    answer(SECOND, START.minus(DAY), 7);
    counts.refresh();
    assertThat(reads()).isCloseTo(57, within(1e-9));
    answer(FIRST, now, 3);
    counts.refresh();
    assertThat(reads()).as("a restarted NameNode").isCloseTo(60, within(1e-9));
    counts.refresh();
    assertThat(reads()).isCloseTo(60, within(1e-9));
  }

  @Test
  void isEstablishedWhenAllNameNodesHaveCountedForAHalfLife() {
    assertThat(counts.isEstablished()).isFalse();
    answer(FIRST, START.minus(Duration.ofDays(9)), 1);
    answer(SECOND, START.minus(Duration.ofHours(23)), 1);
    counts.refresh();
    assertThat(counts.isEstablished()).isFalse();
    now = START.plus(Duration.ofHours(1));
    assertThat(counts.isEstablished()).isTrue();
  }

  @Test
  void isNotEstablishedWhileANameNodeDoesNotAnswer() {
    counts.refresh();
    now = START.plus(DAY.multipliedBy(2));
    counts.refresh();
    assertThat(counts.isEstablished()).as("no NameNode has answered").isFalse();
    answer(FIRST, START.minus(DAY), 1);
    counts.refresh();
    assertThat(counts.isEstablished()).as("the second counts nothing").isFalse();
    answer(SECOND, START, 1);
    counts.refresh();
    assertThat(counts.isEstablished()).isTrue();
    answers.remove(SECOND);
    counts.refresh();
    assertThat(counts.isEstablished()).isFalse();
    answer(SECOND, now, 1);
    counts.refresh();
    assertThat(counts.isEstablished()).as("the second has restarted").isFalse();
    now = now.plus(DAY);
    counts.refresh();
    assertThat(counts.isEstablished()).isTrue();
  }

  @Test
  @Timeout(60)
  void countsAreKnownWhileANameNodeIsAsked() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    MergedCounts slow =
        new MergedCounts(
            List.of(FIRST),
            nameNode -> {
              asked.countDown();
              try {
                answered.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              throw new IOException("no answer");
            },
            () -> now);
    Thread refresh = new Thread(slow::refresh);
    refresh.start();
    asked.await();
    slow.add(AccessCounts.ofPaths(Map.of("/a", new Count(10, 0))));
    assertThat(slow.current().of("/a").reads()).isEqualTo(10);
    assertThat(refresh.isAlive()).isTrue();
    answered.countDown();
    refresh.join();
    assertThat(slow.current().of("/a").reads()).isEqualTo(10);
  }

  @Test
  void addsAProfile() {
    answer(FIRST, START.minus(DAY), 5);
    counts.refresh();
    counts.add(AccessCounts.ofPaths(Map.of("/a", new Count(10, 0))));
    assertThat(reads()).isEqualTo(15);
    now = START.plus(DAY);
    assertThat(reads()).isCloseTo(7.5, within(1e-9));
  }

  private double reads() {
    return counts.current().of("/a").reads();
  }

  private void answer(URI nameNode, Instant started, double reads) {
    answers.put(
        nameNode,
        new CountSource.Reading(
            started, DAY, AccessCounts.ofPaths(Map.of("/a", new Count(reads, 0)))));
  }
}

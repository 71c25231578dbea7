package dev.weir.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StripeWidthTest {
  private static final long WINDOW = StripeWidth.WINDOW_BYTES;

  private final StripeWidth width = new StripeWidth();

  @Test
  void widensWhileTheStreamBecomesFaster() {
    window(100);
    assertThat(width.width()).isEqualTo(2);
    window(50);
    assertThat(width.width()).isEqualTo(3);
    window(33);
    assertThat(width.width()).isEqualTo(3);
  }

  @Test
  void lessThanATenthIsNotWorthAReplica() {
    window(100);
    window(92);
    assertThat(width.width()).isEqualTo(1);
  }

  @Test
  void theNextAttemptComesLaterAfterEachFailure() {
    long before = 0;
    for (int i = 0; i < 4; i++) {
      long bytes = 0;
      while (width.width() == 1) {
        window(100);
        bytes += WINDOW;
      }
      assertThat(bytes).isGreaterThan(before);
      before = bytes;
      window(100);
    }
    assertThat(before).isEqualTo(256L << 20);
  }

  @Test
  void aReaderSlowerThanOneReplicaUsesOne() {
    width.read(WINDOW, WINDOW * 10, 0);
    width.decide(3);
    for (int i = 0; i < 20 && width.width() > 1; i++) {
      // The wait halves, but the reader needs most of the time for itself.
      for (int read = 0; read < 1024; read++) {
        width.read(WINDOW * 2 / 1024, WINDOW / 1024 * 10, WINDOW / 1024 * 400);
      }
      width.decide(3);
    }
    assertThat(width.width()).isEqualTo(1);
  }

  @Test
  void returnsToOneReplicaWhenTheStreamBecomesSlow() {
    window(100);
    window(50);
    window(33);
    window(60);
    assertThat(width.width()).isEqualTo(1);
  }

  @Test
  void usesNoMoreReplicasThanThereAre() {
    for (int i = 0; i < 5; i++) {
      width.read(WINDOW * width.width(), WINDOW * 100 / width.width(), 0);
      width.decide(2);
    }
    assertThat(width.width()).isEqualTo(2);
  }

  @Test
  void aCrawlingReplicaIsLeftSoon() {
    assertThat(width.read(1000, 9_000_000_000L, 0)).isFalse();
    assertThat(width.read(1000, 2_000_000_000L, 0)).isTrue();
    width.decide(3);
    assertThat(width.width()).isEqualTo(2);
    width.single();
    int seconds = 0;
    while (width.width() == 1) {
      if (width.read(1000, 1_000_000_000L, 0)) {
        width.decide(3);
      }
      seconds++;
    }
    assertThat(seconds).isBetween(60, 100);
  }

  @Test
  void aSeekBeginsAnew() {
    window(100);
    width.restart();
    assertThat(width.width()).isEqualTo(1);
    assertThat(width.read(WINDOW - 1, 1, 1)).isFalse();
  }

  /** Reads a window with the given wait for each byte, and decides. */
  private void window(double nanosPerByte) {
    long bytes = WINDOW * width.width();
    assertThat(width.read(bytes, (long) (bytes * nanosPerByte), 0)).isTrue();
    width.decide(3);
  }
}

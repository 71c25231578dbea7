package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.RunProgress;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.Test;

class StatusWriterTest {
  private final Deque<IOException> failures = new ArrayDeque<>();
  private final List<RunProgress> written = new ArrayList<>();
  private long now;
  private Duration takes = Duration.ZERO;
  private int computed;

  private final StatusWriter writer =
      new StatusWriter(
          status -> {
            now += takes.toNanos();
            if (!failures.isEmpty()) {
              throw failures.remove();
            }
            written.add(status);
          },
          () -> {
            computed++;
            return new Progress(3, 1, 1, List.of("t"), 2, 0, 5, 6);
          },
          () -> Progress.Details.NONE,
          () -> now);

  @Test
  void outageOfTheNameNodeIsNotedAfterwards() {
    for (int i = 0; i < 2; i++) {
      failures.add(new IOException("x", new ConnectException("Call From a to b:8020 failed")));
      writer.write();
    }
    writer.write();
    assertThat(written)
        .singleElement()
        .extracting(RunProgress::notes)
        .isEqualTo(List.of(StatusWriter.AWAY));
  }

  @Test
  void safeModeIsNotedAfterwards() {
    failures.add(new SafeModeException("Name node is in safe mode."));
    writer.write();
    writer.write();
    assertThat(written)
        .singleElement()
        .extracting(RunProgress::notes)
        .isEqualTo(List.of(StatusWriter.SAFE_MODE));
  }

  @Test
  void exceptionOfTheClientDoesNotEndTheWriting() {
    StatusWriter broken =
        new StatusWriter(
            status -> {
              throw new IllegalStateException("on purpose");
            },
            () -> new Progress(3, 1, 1, List.of("t"), 2, 0, 5, 6),
            () -> Progress.Details.NONE,
            () -> now);

    assertThatCode(broken::write).doesNotThrowAnyException();
  }

  @Test
  void waitInsideTheClientIsNoted() {
    takes = Duration.ofSeconds(7);
    writer.write();
    takes = Duration.ZERO;
    writer.write();
    assertThat(written.get(0).notes()).isEmpty();
    assertThat(written.get(1).notes()).containsExactly(StatusWriter.AWAY);
    writer.write();
    assertThat(written).as("nothing has changed").hasSize(2);
  }

  @Test
  void waitOfTheLastStatusIsNotedInAnother() {
    takes = Duration.ofSeconds(7);
    writer.finish();
    assertThat(written).hasSize(2);
    assertThat(written.get(1).notes()).containsExactly(StatusWriter.AWAY);
    assertThat(written.get(1).phase()).isEqualTo(RunProgress.Phase.FINISHING);
  }

  @Test
  void quickLastStatusIsComputedOnce() {
    writer.finish();
    assertThat(written).hasSize(1);
    assertThat(computed).isEqualTo(1);
  }

  @Test
  void otherFailuresAreLogged() {
    failures.add(new IOException("Quota exceeded"));
    writer.write();
    writer.write();
    assertThat(written).singleElement().satisfies(status -> assertThat(status.notes()).isEmpty());
  }

  @Test
  void addingANoteDoesNotWaitForHdfs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    StatusWriter hanging =
        new StatusWriter(
            status -> {
              hangs.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            },
            () -> new Progress(3, 1, 1, List.of(), 2, 0, 5, 6),
            () -> Progress.Details.NONE,
            () -> now);
    Thread thread = new Thread(hanging::write);
    thread.start();
    hangs.await();
    CompletableFuture.runAsync(() -> hanging.note("a note")).get(1, TimeUnit.MINUTES);
    over.countDown();
    thread.join();
  }
}

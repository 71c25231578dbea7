package dev.weir.workflow.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.StatusWriter;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.RunProgress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeriodicTasksTest {

  private final PeriodicTasks tasks = new PeriodicTasks();
  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch back = new CountDownLatch(1);
  private final AtomicInteger done = new AtomicInteger(1);
  private final List<RunProgress> written = new CopyOnWriteArrayList<>();

  /** Writes the status to a NameNode that hangs. */
  private final StatusWriter writer =
      new StatusWriter(
          status -> {
            hangs.countDown();
            try {
              back.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            written.add(status);
          },
          () -> new Progress(9, done.get(), 1, List.of(), 2, 0, 5, 6),
          () -> Progress.Details.NONE,
          System::nanoTime);

  @AfterEach
  void close() {
    tasks.close();
  }

  @Test
  void otherTasksContinueWhileAStatusWaitsForHdfs() throws Exception {
    writer.start(tasks.hdfs());
    hangs.await();

    CountDownLatch looked = new CountDownLatch(3);
    tasks.every(1, looked::countDown);
    assertThat(looked.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void failedTaskIsRepeated() throws Exception {
    CountDownLatch tries = new CountDownLatch(3);
    tasks.every(
        1,
        () -> {
          tries.countDown();
          throw new IllegalStateException("on purpose");
        });

    assertThat(tries.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void newestOfSeveralStatusesIsWritten() throws Exception {
    writer.start(tasks.hdfs());
    hangs.await();
    CountDownLatch changes = new CountDownLatch(5);
    tasks.every(
        1,
        () -> {
          done.updateAndGet(now -> Math.min(6, now + 1));
          changes.countDown();
        });
    assertThat(changes.await(1, TimeUnit.MINUTES)).isTrue();

    back.countDown();
    writer.write();

    assertThat(written).extracting(RunProgress::done).containsExactly(1, 6);
  }
}

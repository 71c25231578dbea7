package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What Ctrl-C does to a run. */
class KillOnExitTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<Runnable> interrupts = new CopyOnWriteArrayList<>();

  /** A run with an ApplicationMaster, or without. */
  private final class Run implements KillOnExit.Guarded {

    private final boolean hears;

    Run(boolean hears) {
      this.hears = hears;
    }

    @Override
    public String id() {
      return "application_1_0001";
    }

    @Override
    public boolean cancel() throws IOException {
      done.add("cancel");
      return hears;
    }

    @Override
    public void kill() {
      done.add("kill");
    }
  }

  private KillOnExit guard(Duration patience) {
    return new KillOnExit(new KillOnExit.Times(patience, LONG), interrupts::add);
  }

  private static Thread ending(KillOnExit guard) {
    Thread thread = new Thread(guard::end);
    thread.start();
    return thread;
  }

  @Test
  void aRunThatSomebodyWaitsForEndsByItselfAndHasItsReportWritten() throws Exception {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.announceWaiting();

    Thread ending = ending(guard);
    await().until(() -> done.contains("cancel"));
    guard.disarm();
    await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
    guard.close();
    ending.join();

    assertThat(done).containsExactly("cancel");
  }

  @Test
  void aRunThatDoesNotEndIsKilled() {
    KillOnExit guard = guard(Duration.ofMillis(1));
    guard.guard(new Run(true));
    guard.announceWaiting();

    guard.end();

    assertThat(done).contains("kill");
  }

  @Test
  void theSecondTimeItIsKilledAtOnce() throws Exception {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.announceWaiting();

    Thread ending = ending(guard);
    await().until(() -> done.contains("cancel"));
    interrupts.forEach(Runnable::run);
    ending.join();

    assertThat(done).containsExactly("cancel", "kill");
  }

  @Test
  void aRunThatNobodyCanAskIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(false));
    guard.announceWaiting();

    guard.end();

    assertThat(done).containsExactly("cancel", "kill");
  }

  @Test
  void aRunThatCannotBeAskedIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(
        new KillOnExit.Guarded() {
          @Override
          public String id() {
            return "application_1_0001";
          }

          @Override
          public boolean cancel() {
            throw new IllegalStateException("the file system is closed");
          }

          @Override
          public void kill() {
            done.add("kill");
          }
        });
    guard.announceWaiting();

    guard.end();

    assertThat(done).containsExactly("kill");
  }

  @Test
  void aRunThatIsBeingSubmittedIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));

    guard.end();

    assertThat(done).containsExactly("kill");
    assertThat(interrupts).isEmpty();
  }

  @Test
  void whatIsOverIsLeftAlone() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.disarm();

    guard.end();

    assertThat(done).isEmpty();
  }
}

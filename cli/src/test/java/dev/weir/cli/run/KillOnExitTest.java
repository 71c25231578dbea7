package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The effect of Ctrl-C on a run. */
class KillOnExitTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Runnable> interrupts = new CopyOnWriteArrayList<>();

  /** A run that can or cannot be cancelled. */
  private final class Run implements KillOnExit.Guarded {

    private final BooleanSupplier hears;

    Run(boolean hears) {
      this(() -> hears);
    }

    Run(BooleanSupplier hears) {
      this.hears = hears;
    }

    @Override
    public String id() {
      return "application_1_0001";
    }

    @Override
    public boolean cancel() {
      events.add("cancel");
      return hears.getAsBoolean();
    }

    @Override
    public void kill() {
      events.add("kill");
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
  void awaitedRunIsCancelledAndItsReportWritten() throws Exception {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.announceWaiting();

    Thread ending = ending(guard);
    await().until(() -> events.contains("cancel"));
    guard.disarm();
    await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
    guard.close();
    ending.join();

    assertThat(events).containsExactly("cancel");
  }

  @Test
  void runThatDoesNotEndIsKilled() {
    KillOnExit guard = guard(Duration.ofMillis(1));
    guard.guard(new Run(true));
    guard.announceWaiting();

    guard.end();

    assertThat(events).contains("kill");
  }

  @Test
  void secondInterruptKillsAtOnce() throws Exception {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.announceWaiting();

    Thread ending = ending(guard);
    await().until(() -> events.contains("cancel"));
    interrupts.forEach(Runnable::run);
    ending.join();

    assertThat(events).containsExactly("cancel", "kill");
  }

  @Test
  void runWithAnUnreachableMasterIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(false));
    guard.announceWaiting();

    guard.end();

    assertThat(events).containsExactly("cancel", "kill");
  }

  @Test
  void runThatCannotBeCancelledIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(
        new Run(
            () -> {
              throw new IllegalStateException("the file system is closed");
            }));
    guard.announceWaiting();

    guard.end();

    assertThat(events).containsExactly("cancel", "kill");
  }

  @Test
  void runDuringItsSubmissionIsKilledAtOnce() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));

    guard.end();

    assertThat(events).containsExactly("kill");
    assertThat(interrupts).isEmpty();
  }

  @Test
  void endedRunIsLeftAlone() {
    KillOnExit guard = guard(LONG);
    guard.guard(new Run(true));
    guard.disarm();

    guard.end();

    assertThat(events).isEmpty();
  }
}

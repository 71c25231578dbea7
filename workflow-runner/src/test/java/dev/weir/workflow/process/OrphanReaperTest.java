package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processes that outlive their commands. */
class OrphanReaperTest {

  private static final OrphanReaper.Owner TASK = new OrphanReaper.Owner("run", "task", "1");

  private final String worker = "test-" + UUID.randomUUID();

  /** Starts a process that would run for long. */
  private static Process startProcess(String worker, OrphanReaper.Owner owner) throws IOException {
    ProcessBuilder command = new ProcessBuilder("sleep", "1000");
    command
        .environment()
        .putAll(
            Map.of(
                ProcessGuard.MARK,
                worker,
                "WEIR_RUN",
                owner.run(),
                "WEIR_TASK",
                owner.task(),
                "WEIR_ATTEMPT",
                owner.attempt()));
    return command.start();
  }

  @Test
  void orphansOfEndedCommandsOfThisWorkerAreKilled() throws Exception {
    Process left = startProcess(worker, TASK);
    Process ofAnotherWorker = startProcess(worker + "0", TASK);
    Process ofAnotherTask = startProcess(worker, new OrphanReaper.Owner("run", "other", "1"));
    try (OrphanReaper reaper = new OrphanReaper(Path.of("/proc"), worker)) {
      reaper.commandStarted(TASK);
      reaper.scan();
      assertThat(left.isAlive()).as("its command still runs").isTrue();

      reaper.commandEnded(TASK);
      reaper.scan();

      assertThat(left.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(ofAnotherWorker.isAlive()).isTrue();
      assertThat(ofAnotherTask.isAlive()).isTrue();
    } finally {
      left.destroyForcibly();
      ofAnotherWorker.destroyForcibly();
      ofAnotherTask.destroyForcibly();
    }
  }
}

package dev.weir.workflow.worker;

import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.OutputIncastControl;
import dev.weir.workflow.transfer.TransferScheduler;
import dev.weir.workflow.transfer.Transfers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What runners, stores and workers in tests are made with that ask nobody when to move files. */
public final class TestTools {

  /** For those that ask nobody. */
  public static final TransferScheduler AT_ONCE =
      new TransferScheduler() {
        @Override
        public boolean appliesTo(long bytes) {
          return false;
        }

        @Override
        public Grant acquire(Request request, Holders holders) {
          return new Grant("", null, (whole, fromCache) -> {});
        }
      };

  private static final long LARGE_BYTES = 64 << 20;

  private TestTools() {}

  /** One pool makes all transfers. */
  static TaskRunner.Tools of(ExecutorService pool, CommandShells shells) {
    return of(new Transfers(pool, pool, pool, LARGE_BYTES), shells);
  }

  static TaskRunner.Tools of(Transfers transfers, CommandShells shells) {
    return new TaskRunner.Tools(
        transfers, shells, System::nanoTime, new OutputIncastControl(AT_ONCE, "n1"));
  }

  /** Sandboxes and logs in a directory, and commands that find the programs of the system. */
  static TaskRunner.Places places(Path directory) {
    return new TaskRunner.Places(
        directory.resolve("sandboxes"),
        directory.resolve("logs"),
        CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin")));
  }

  /** A worker that runs one task at a time, with its sandboxes and logs in a directory. */
  static Worker worker(
      DataStore store,
      Path directory,
      TaskRunner.Tools tools,
      MasterLink link,
      CommandOutput printed) {
    return new Worker(
        new TaskRunner(
            store,
            new TaskRunner.Places(
                directory.resolve("sandboxes"), directory, CommandEnvironment.base(Map.of())),
            tools),
        new ResourceGate(1, 1L << 30),
        Executors.newCachedThreadPool(),
        link,
        new Worker.Handlers(printed, turn -> {}, other -> false));
  }
}

package dev.weir.workflow.worker;

import dev.weir.workflow.image.TaskContainers;
import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.TransferScheduler;
import dev.weir.workflow.transfer.Transfers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/** Tools and places for task runners and workers whose transfers need no permission of a master. */
public final class TestTools {

  /** Starts every transfer at once. */
  public static final TransferScheduler AT_ONCE =
      new TransferScheduler() {
        @Override
        public boolean appliesTo(long bytes, boolean shared) {
          return false;
        }

        @Override
        public Grant acquire(Request request, CallableRaisingIOE<List<String>> holders) {
          return new Grant("", null, (whole, fromCache) -> {});
        }
      };

  private static final long LARGE_BYTES = 64 << 20;

  private TestTools() {}

  /** Tools whose transfers share one thread pool. */
  static TaskRunner.Tools of(ExecutorService pool, CommandShells shells) {
    return of(new Transfers(pool, pool, pool, LARGE_BYTES), shells);
  }

  static TaskRunner.Tools of(Transfers transfers, CommandShells shells) {
    return new TaskRunner.Tools(
        transfers, shells, System::nanoTime, containers(Path.of("/none"), TaskContainers.DEFAULT));
  }

  /** The same tools with other containers. */
  static TaskRunner.Tools with(TaskRunner.Tools tools, TaskContainers containers) {
    return new TaskRunner.Tools(tools.transfers(), tools.shells(), tools.nanoTime(), containers);
  }

  /** Containers of runtimes on the search path or at absolute paths. */
  static TaskContainers containers(Path application, String allowed) {
    return new TaskContainers(
        new TaskContainers.Worker(
            "container_1_2_3_" + ProcessHandle.current().pid(),
            "n1",
            1L << 30,
            application,
            CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin"))),
        () -> allowed);
  }

  /** Sandboxes and logs in a directory, and commands that find the programs of the system. */
  static TaskRunner.Places places(Path directory) {
    return new TaskRunner.Places(
        directory.resolve("sandboxes"),
        directory.resolve("logs"),
        CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin")));
  }

  /** Returns a worker that runs one task at a time, with its sandboxes and logs in a directory. */
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

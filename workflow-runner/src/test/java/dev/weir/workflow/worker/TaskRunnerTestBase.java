package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.HostProbe;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A task runner over a local directory, and orders for it. */
public abstract class TaskRunnerTestBase {

  final ExecutorService pool = Executors.newFixedThreadPool(4);
  @TempDir Path temp;
  final ResourceGate gate;
  final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  public DirectoryStore store;
  public TaskRunner runner;

  /** Runs one task at a time. */
  public TaskRunnerTestBase() {
    this(1);
  }

  /** Runs tasks on this many cores. */
  public TaskRunnerTestBase(int cores) {
    gate = new ResourceGate(cores, 1L << 30);
  }

  @BeforeEach
  void makeRunner() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    Files.createDirectory(temp.resolve("logs"));
    runner = runner(store);
  }

  void makeRunner(DataStore of) {
    runner = runner(of);
  }

  private TaskRunner runner(DataStore of) {
    Map<String, String> container =
        Map.of("PATH", "/usr/bin:/bin", "WEIR_RUN_SECRET", "secret", "HOME", "/home");
    return new TaskRunner(
        of,
        new TaskRunner.Places(
            temp.resolve("sandboxes"),
            temp.resolve("logs"),
            CommandEnvironment.base(container),
            new TaskSecrets(Map.of("KEY", "a 'secret'")),
            OutputHints.NONE),
        TestTools.of(pool, shells));
  }

  TaskReport run(TaskOrder order) throws InterruptedException {
    return runner.run(order, gate.ticket(order.needs()));
  }

  static void assertEnded(TaskReport report, Result expected) {
    assertThat(report.result()).as(report.message()).isEqualTo(expected);
  }

  TaskRunner runnerOn(HostProbe machine) {
    return new TaskRunner(store, TestTools.places(temp), TestTools.of(pool, shells), machine);
  }

  @AfterEach
  void stopPool() {
    pool.shutdownNow();
    shells.close();
    guard.close();
  }

  static List<FileSlot> slots(String... names) {
    return Arrays.stream(names).map(name -> new FileSlot(name, "/data/" + name, 10)).toList();
  }

  static TaskOrder order(List<FileSlot> inputs, List<FileSlot> outputs, String... command) {
    return new TaskOrder(
        "task",
        1,
        "1-1",
        List.of(command),
        inputs,
        outputs,
        Map.of("MINE", "a b"),
        false,
        0,
        ResourceNeeds.ONE_CORE);
  }

  static TaskOrder shell(List<FileSlot> inputs, List<FileSlot> outputs, String script) {
    return order(inputs, outputs, "sh", "-c", script);
  }

  List<Path> everythingBelow(String directory) throws IOException {
    try (Stream<Path> files = Files.walk(temp.resolve(directory))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  static void awaitDeath(long pid) {
    await().until(() -> !Pids.runs(pid));
  }

  static TaskOrder inEnvironment(TaskOrder order, Map<String, String> environment) {
    return new TaskOrder(
        order.task(),
        order.attempt(),
        order.label(),
        order.command(),
        order.inputs(),
        order.outputs(),
        environment,
        order.standIn(),
        order.standInMillis(),
        order.needs());
  }
}

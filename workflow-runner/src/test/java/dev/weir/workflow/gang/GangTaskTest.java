package dev.weir.workflow.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.image.TaskContainers;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.transfer.DirectoryStore;
import dev.weir.workflow.transfer.Transfers;
import dev.weir.workflow.worker.ResourceGate;
import dev.weir.workflow.worker.TaskRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attempt at a task that runs in two containers. */
class GangTaskTest {

  private static final ResourceNeeds PAIR = new ResourceNeeds(1, 0, Map.of(), 1);
  private static final Map<String, String> BASE = Map.of("PATH", "/usr/bin:/bin");

  private final CacheSecurity security = CacheSecurity.plain(Secret.generate(new SecureRandom()));

  @TempDir private Path temp;

  @Test
  void commandIsKilledWhenAnotherContainerIsLost() throws Exception {
    try (ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
        CommandShells shells = new CommandShells(BASE, guard);
        Gang gang = new Gang("c0", 1, security, PortRange.ANY, GangTaskTest::daemon)) {
      CompletableFuture<Void> member = CompletableFuture.runAsync(() -> loseOne(gang));

      TaskReport report =
          runner(shells, gang)
              .run(
                  order("$WEIR_LAUNCHER weir-1 true & sleep 1000"),
                  new ResourceGate(1, 1).ticket(PAIR));

      assertThat(report.result()).isEqualTo(TaskReport.Result.INFRASTRUCTURE);
      assertThat(report.message()).isEqualTo("the container c1 of the gang was lost");
      member.join();
    }
  }

  private TaskRunner runner(CommandShells shells, Gang gang) throws IOException {
    return new TaskRunner(
        new DirectoryStore(Files.createDirectory(temp.resolve("store"))),
        new TaskRunner.Places(
            temp.resolve("sandboxes"), Files.createDirectory(temp.resolve("logs")), BASE),
        new TaskRunner.Tools(
            Transfers.start(1 << 20, GangTaskTest::daemon),
            shells,
            System::nanoTime,
            new TaskContainers(
                new TaskContainers.Worker("c0", "n1", 1, temp, BASE), () -> TaskContainers.DEFAULT),
            gang));
  }

  private static TaskOrder order(String script) {
    return new TaskOrder(
        "t",
        1,
        "1-1",
        List.of("sh", "-c", script),
        List.of(),
        List.of(),
        Map.of(),
        /* standIn= */ false,
        0,
        PAIR);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** Acts as the other container until the command has begun, and then as the session. */
  private void loseOne(Gang gang) {
    try (gang) {
      actUntilTheCommand(gang.address("localhost").port());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void actUntilTheCommand(int port) throws IOException {
    try (GangConnection directory = join(port)) {
      assertThat(directory.in.readByte()).isEqualTo((byte) GangConnection.DIRECTORY);
      assertThat(directory.readText()).isNotEmpty();
      // It has the directory, and all files.
      directory.out.writeBoolean(false);
      directory.out.writeBoolean(true);
      directory.out.flush();
      try (GangConnection command = join(port)) {
        assertThat(command.in.readByte()).isEqualTo((byte) GangConnection.RUN);
      }
    }
  }

  private GangConnection join(int port) throws IOException {
    GangConnection joined =
        GangConnection.open(new Socket("localhost", port), security, "c0", /* isFirst= */ false);
    joined.writeText("c1");
    joined.out.flush();
    return joined;
  }
}

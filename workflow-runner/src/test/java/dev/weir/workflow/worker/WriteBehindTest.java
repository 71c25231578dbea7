package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Outputs that are stored while their command runs. */
class WriteBehindTest extends TaskRunnerTestBase {
  private static final int MIB = 1 << 20;

  private TaskReport run(String output, String script) throws InterruptedException {
    TaskOrder order =
        TaskOrders.shell(
            "task", List.of(), List.of(new FileSlot(output, "/data/" + output, MIB)), script);
    return runner.run(order, new ResourceGate(1, 1L << 30).ticket(ResourceNeeds.ONE_CORE));
  }

  /** Shell code that waits until part of the output is stored before the command ends. */
  private String awaitPartlyStored(String output) {
    Path stored = store.file("/data/" + output + ".weir-1-1");
    return "for i in $(seq 1000); do if [ -s "
        + stored
        + " ]; then break; fi; sleep 0.05; done; if [ ! -s "
        + stored
        + " ]; then exit 9; fi;";
  }

  private static String write(char what, int bytes) {
    return "head -c " + bytes + " /dev/zero | tr '\\0' " + what;
  }

  private List<Path> stored() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("store/data"))) {
      return files.toList();
    }
  }

  @Test
  void sequentialOutputIsStoredWhileTheCommandRuns() throws Exception {
    TaskReport report =
        run(
            "x",
            write('a', 3 * MIB + 17)
                + " > x; "
                + awaitPartlyStored("x")
                + write('b', 1000)
                + " >> x");

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/x")).isEqualTo("a".repeat(3 * MIB + 17) + "b".repeat(1000));
    assertThat(stored()).hasSize(1);
    assertThat(report.outputs().get(0).sizeBytes()).isEqualTo(3 * MIB + 1017);
  }

  @Test
  void rewrittenOutputIsStoredAgain() throws Exception {
    TaskReport report =
        run(
            "x",
            write('a', 2 * MIB)
                + " > x; "
                + awaitPartlyStored("x")
                + "printf HEAD | dd of=x conv=notrunc status=none");

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/x")).isEqualTo("HEAD" + "a".repeat(2 * MIB - 4));
    assertThat(stored()).hasSize(1);
  }

  @Test
  void truncatedOutputIsStoredAgain() throws Exception {
    TaskReport report =
        run("x", write('a', 2 * MIB) + " > x; " + awaitPartlyStored("x") + "printf short > x");

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/x")).isEqualTo("short");
  }

  @Test
  void endedStreamsFreeTheirSlots() throws Exception {
    String some = write('a', 2 * MIB) + " > x; " + awaitPartlyStored("x");
    for (int i = 0; i < 3; i++) {
      assertThat(run("x", some + "true").exitCode()).isZero();
      assertThat(run("x", some + "exit 3").exitCode()).isEqualTo(3);
      assertThat(run("x", some + "rm x").message()).contains("output missing");
    }
  }

  @Test
  void failedCommandLeavesNothing() throws Exception {
    TaskReport report =
        run("x", write('a', 2 * MIB) + " > x; " + awaitPartlyStored("x") + "exit 3");

    assertThat(report.exitCode()).isEqualTo(3);
    assertThat(stored()).isEmpty();
  }

  @Test
  void removedOutputLeavesNothing() throws Exception {
    TaskReport report = run("x", write('a', 2 * MIB) + " > x; " + awaitPartlyStored("x") + "rm x");

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).contains("output missing: 'x'");
    assertThat(stored()).isEmpty();
  }
}

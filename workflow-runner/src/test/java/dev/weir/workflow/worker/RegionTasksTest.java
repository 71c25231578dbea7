package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tasks that read and write regions of files, and tasks that join regions. */
class RegionTasksTest extends TaskRunnerTestBase {

  private static FileSlot region(String file, long offset, long length) {
    return new FileSlot(
        file + "@" + offset + "+" + length, "/data/" + file, length, FileSlot.Kind.REGION, offset);
  }

  /** Returns a slot of a written region, which is a file of its own. */
  private static FileSlot written(String name, long length) {
    return new FileSlot(name, "/data/" + name, length, FileSlot.Kind.REGION, 0);
  }

  private TaskReport run(
      List<FileSlot> inputs,
      FileSlot output,
      boolean join,
      ResourceGate.Ticket turn,
      String... command)
      throws InterruptedException {
    TaskOrder order =
        new TaskOrder(
            "task",
            1,
            "1-1",
            Arrays.asList(command),
            inputs,
            List.of(output),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE,
            join,
            TaskOrder.NEVER,
            0,
            TaskOrder.NO_CONTAINER);
    return runner.run(order, turn);
  }

  private TaskReport shell(List<FileSlot> inputs, FileSlot output, String script)
      throws InterruptedException {
    return run(inputs, output, false, gate.ticket(ResourceNeeds.ONE_CORE), "sh", "-c", script);
  }

  private TaskReport join(FileSlot output, FileSlot... regions) throws InterruptedException {
    return run(List.of(regions), output, true, gate.ticket(ResourceNeeds.ONE_CORE));
  }

  @Test
  void taskGetsOnlyTheRegionsThatItReads() throws Exception {
    store.write("/data/x", "0123456789");

    TaskReport report =
        shell(
            List.of(region("x", 6, 4), region("x", 0, 2)),
            new FileSlot("out", "/data/out", 1),
            "ls > out; cat x@6+4 x@0+2 >> out");

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/out").lines())
        .containsExactlyInAnyOrder("out", "x@0+2", "x@6+4", "678901");
    assertThat(report.usage().inputBytesLocal()).isEqualTo(6);
  }

  @Test
  void lostFileIsReportedOnceForAllItsRegions() throws Exception {
    TaskReport report =
        shell(
            List.of(region("x", 0, 2), region("x", 2, 2)),
            new FileSlot("out", "/data/out", 1),
            "true");

    assertThat(report.result()).isEqualTo(Result.INPUT_LOST);
    assertThat(report.lostInputs()).containsExactly("x");
  }

  @Test
  void fileShorterThanTheRegionFailsTheTask() throws Exception {
    store.write("/data/x", "0123");

    TaskReport report =
        shell(List.of(region("x", 2, 4)), new FileSlot("out", "/data/out", 1), "true");

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).contains("ends too early");
  }

  @Test
  void writtenRegionMustHaveItsDeclaredLength() throws Exception {
    TaskReport good = shell(List.of(), written("y@5+3", 3), "printf abc > y@5+3");
    TaskReport bad = shell(List.of(), written("y@8+3", 3), "printf ab > y@8+3");

    assertThat(good.result()).as(good.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/y@5+3")).isEqualTo("abc");
    assertThat(bad.result()).isEqualTo(Result.FAILED);
    assertThat(bad.message()).contains("'y@8+3' has 2 bytes: a region must have as many");
  }

  @Test
  void blockLocationsOfFilesReadInRegionsAreReported() throws Exception {
    TaskReport report =
        shell(
            List.of(), new FileSlot("y", "/data/y", 3, FileSlot.Kind.LOCATED, 0), "printf abc > y");

    assertThat(report.outputs().get(0).extents())
        .containsExactly(new BlockExtent(0, 3, List.of(DirectoryStore.NODE)));
  }

  @Test
  void regionsAreJoinedWithoutReading() throws Exception {
    store.write("/data/y@0+2", "ab");
    store.write("/data/y@2+3", "cde");

    TaskReport report =
        join(new FileSlot("y", "/data/y", 5), written("y@0+2", 2), written("y@2+3", 3));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/y")).isEqualTo("abcde");
    assertThat(report.outputs())
        .containsExactly(new StoredFile("y", 5, Map.of(DirectoryStore.NODE, 5L)));
    assertThat(report.usage().outputBytes()).isZero();
    assertThat(report.usage().inputBytesLocal()).isZero();
    assertThat(temp.resolve("store/data")).isDirectoryNotContaining("glob:**y@*");
  }

  private TaskReport joinAgain(int attempt) throws InterruptedException {
    return runner.run(
        new TaskOrder(
            "task",
            attempt,
            "1-1-" + attempt,
            List.of(),
            List.of(written("y@0+2", 2), written("y@2+3", 3)),
            List.of(new FileSlot("y", "/data/y", 5)),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE,
            true,
            TaskOrder.NEVER,
            0,
            TaskOrder.NO_CONTAINER),
        gate.ticket(ResourceNeeds.ONE_CORE));
  }

  @Test
  void nextAttemptReusesAnUncommittedJoin() throws Exception {
    store.write("/data/y", "an older one");
    store.write("/data/y@0+2", "ab");
    store.write("/data/y@2+3", "cde");
    store.injectedFailures.add(new IOException("not now"));

    assertThat(joinAgain(1).result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(store.read("/data/y")).isEqualTo("an older one");
    TaskReport second = joinAgain(2);

    assertThat(second.result()).as(second.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(second.outputs())
        .containsExactly(new StoredFile("y", 5, Map.of(DirectoryStore.NODE, 5L)));
    assertThat(store.read("/data/y")).isEqualTo("abcde");
    assertThat(temp.resolve("store/data")).isDirectoryNotContaining("glob:**weir*");
  }

  @Test
  void unansweredCommitOfAJoinCountsAsDone() throws Exception {
    store.write("/data/y@0+2", "ab");
    store.write("/data/y@2+3", "cde");
    AtomicBoolean first = new AtomicBoolean(true);
    store.beforeCommit(
        () -> {
          if (first.getAndSet(false)) {
            File joined = store.file("/data/y.weir-1-1-1").toFile();
            assertThat(joined.renameTo(store.file("/data/y").toFile())).isTrue();
            store.injectedFailures.add(new ConnectException("Call From a to b:8020 failed"));
          }
        });

    TaskReport report = joinAgain(1);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/y")).isEqualTo("abcde");
  }

  @Test
  void interruptedJoinLosesNoData() throws Exception {
    store.write("/data/y@0+2", "ab");
    store.write("/data/y@2+3", "cde");
    store.beforeJoin(
        target -> {
          Files.createFile(target);
          throw new InterruptedIOException("Call interrupted");
        });

    assertThat(joinAgain(1).result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(store.file("/data/y.weir-1-1-1")).as("the target of the interrupted join").exists();
    store.beforeJoin(target -> {});
    store.join(List.of("/data/y@0+2", "/data/y@2+3"), "/data/y.weir-1-1-1");
    TaskReport second = joinAgain(2);

    assertThat(second.result()).as(second.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/y")).isEqualTo("abcde");
  }

  @Test
  void lastOfSeveralJoinedFilesIsReused() throws Exception {
    store.write("/data/y.weir-1-1-1", "vwxyz");
    store.write("/data/y.weir-1-1-3", "abcde");
    store.write("/data/y.weir-1-1-2", "stale");
    for (int old : List.of(1, 2)) {
      assertThat(store.file("/data/y.weir-1-1-" + old).toFile().setLastModified(1000)).isTrue();
    }

    assertThat(joinAgain(4).result()).isEqualTo(Result.SUCCEEDED);

    assertThat(store.read("/data/y")).isEqualTo("abcde");
  }

  @Test
  void joinsOfOtherRunsOrLengthsAreNotReused() throws Exception {
    store.write("/data/y", "abcde");
    store.write("/data/y.weir-2-1-1", "abcde");
    store.write("/data/y.weir-1-1-7", "");

    TaskReport report = joinAgain(1);

    assertThat(report.result()).isEqualTo(Result.INPUT_LOST);
    assertThat(report.lostInputs()).containsExactly("y@0+2", "y@2+3");
  }

  @Test
  void joinWithLostRegionsReportsAllAndChangesNothing() throws Exception {
    store.write("/data/y@2+3", "cde");

    TaskReport report =
        join(
            new FileSlot("y", "/data/y", 6),
            written("y@0+2", 2),
            written("y@2+3", 3),
            written("y@5+1", 1));

    assertThat(report.result()).isEqualTo(Result.INPUT_LOST);
    assertThat(report.lostInputs()).containsExactly("y@0+2", "y@5+1");
    assertThat(store.read("/data/y@2+3")).isEqualTo("cde");
  }

  @Test
  void recalledJoinIsNotExecuted() throws Exception {
    store.write("/data/y@0+2", "ab");
    ResourceGate.Ticket turn = gate.ticket(ResourceNeeds.ONE_CORE);
    turn.recall();

    TaskReport report =
        run(List.of(written("y@0+2", 2)), new FileSlot("y", "/data/y", 2), true, turn);

    assertThat(report.result()).isEqualTo(Result.RECALLED);
    assertThat(store.read("/data/y@0+2")).isEqualTo("ab");
  }
}

package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import dev.weir.workflow.scheduler.state.NodeFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Copies in HDFS of files that are in the stores of nodes. */
class WriteBackSchedulerTest extends DispatcherFixture {

  private static final long LONG_MILLIS = 100_000;

  /** The run deletes the files that tasks read. */
  private static Dispatcher deleting() {
    return onNodes(Set.of("fa", "fb"));
  }

  /** HDFS must have all files at the end. */
  private static Dispatcher keeping() {
    return onNodes(Set.of());
  }

  private static TaskReport onNode(Effect.Start start, String file, long millis) {
    return Reports.took(Reports.succeeded(start, "n1", 9), LONG_MILLIS)
        .withFiles(
            List.of(),
            List.of(new StoredFile(file, 9, Map.of("n1", 9L), 5, List.of(), 0, millis)),
            List.of());
  }

  private static Effect.WriteBack order(String file, long millis) {
    return new Effect.WriteBack("w1", file, new NodeContent(9, 5, millis, List.of("n1")), true);
  }

  private static StoredFile copy(String file, long fileId) {
    return new StoredFile(file, 9, Map.of("n2", 9L), 5, List.of(), fileId);
  }

  private List<Effect> written(Dispatcher dispatcher, String file, long millis, long fileId) {
    WriteBackEnd end = new WriteBackEnd(millis, copy(file, fileId), "", false, false);
    return effects(dispatcher.writtenBack("w1", file, end, now));
  }

  private List<Effect> failed(Dispatcher dispatcher, String file, long millis) {
    WriteBackEnd end = new WriteBackEnd(millis, null, "no quota", false, false);
    return effects(dispatcher.writtenBack("w1", file, end, now));
  }

  private List<Effect> refused(Dispatcher dispatcher, String file, long millis) {
    WriteBackEnd end = new WriteBackEnd(millis, null, "quota: raise it", false, true);
    return effects(dispatcher.writtenBack("w1", file, end, now));
  }

  private static void assertFailed(List<Effect> effects, String problem) {
    assertThat(effects)
        .anySatisfy(
            effect ->
                assertThat(effect)
                    .isInstanceOfSatisfying(
                        Effect.Failed.class,
                        end ->
                            assertThat(end.failure().toString())
                                .contains("cannot copy fa to HDFS", problem)));
  }

  /** A chain of which a is done and b runs on the same worker. */
  private Effect.Start first(Dispatcher dispatcher) {
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    return start(dispatcher.reported("w1", onNode(a, "fa", 70), now));
  }

  private void loseNode(Dispatcher dispatcher) {
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.tick(now));
    now += NodeFiles.GRACE_MILLIS;
    effects(dispatcher.tick(now));
  }

  @Test
  void aKeptTemporaryFileThatNoTaskReadsIsCopiedAfterItsTask() {
    Dispatcher dispatcher =
        onNodes(Graphs.withTemporary(Graphs.chain(), "fc"), Set.of("fa", "fb"), LIMITS);
    Effect.Start b = first(dispatcher);
    Effect.Start c = start(dispatcher.reported("w1", onNode(b, "fb", 71), now));
    assertThat(c.stores().outputs()).containsExactly("fc");
    effects(dispatcher.reported("w1", onNode(c, "fc", 72), now));

    assertThat(effects(dispatcher.tick(now))).contains(order("fc", 72));
    assertThat(written(dispatcher, "fc", 72, 8))
        .as("it is no result that is checked")
        .contains(new Effect.Check("", List.of()));
  }

  @Test
  void theRunEndsWhenHdfsHasTheFilesThatItKeeps() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = first(dispatcher);
    Effect.Start c = start(dispatcher.reported("w1", onNode(b, "fb", 71), now));
    assertThat(c.stores().outputs()).as("no task reads it").isEmpty();
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now))).isEmpty();

    assertThat(effects(dispatcher.tick(now)))
        .containsExactlyInAnyOrder(order("fa", 70), order("fb", 71));
    assertThat(written(dispatcher, "fa", 70, 8)).hasOnlyElementsOfType(Effect.DropStored.class);
    assertThat(written(dispatcher, "fb", 71, 9))
        .hasAtLeastOneElementOfType(Effect.DropStored.class)
        .contains(new Effect.Check("", List.of("fc")));
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .containsExactly(new Effect.Succeeded(""));
  }

  @Test
  void filesThatTheRunDeletesAreCopiedIfTheirLossCostsMuch() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);

    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
    assertThat(effects(dispatcher.tick(now))).as("once").isEmpty();
  }

  /** A chain of which a is done, which took a second, and b runs on the same worker. */
  private Effect.Start quickly(Dispatcher dispatcher) {
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    TaskReport quick =
        Reports.took(onNode(a, "fa", 70), 1_000)
            .withFiles(List.of(), onNode(a, "fa", 70).outputs(), List.of());
    return start(dispatcher.reported("w1", quick, now));
  }

  @Test
  void filesThatCostLittleAreNotCopied() {
    Dispatcher dispatcher = deleting();
    quickly(dispatcher);

    assertThat(effects(dispatcher.tick(now))).isEmpty();
  }

  @Test
  void copiesOfFilesThatCostLittleMayWaitForTransfersOfTasks() {
    Dispatcher dispatcher = keeping();
    quickly(dispatcher);

    assertThat(effects(dispatcher.tick(now)))
        .containsExactly(
            new Effect.WriteBack("w1", "fa", new NodeContent(9, 5, 70, List.of("n1")), false));
  }

  @Test
  void copiesThatTheEndOfTheRunWaitsForDoNotWait() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = quickly(dispatcher);
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));

    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
  }

  @Test
  void filesOfANodeThatYarnTakesBackAreCopied() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = quickly(dispatcher);
    effects(dispatcher.leaving("n1", Long.MAX_VALUE, now));
    effects(dispatcher.workerJoined(ON_N2, now));

    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    assertThat(c.worker()).as("it gets no new task").isEqualTo("w2");
  }

  @Test
  void filesLeaveANodeWhoseDiskIsFull() {
    Dispatcher dispatcher = deleting();
    quickly(dispatcher);
    effects(dispatcher.diskShortage("w1", 0, now));
    assertThat(effects(dispatcher.tick(now))).isEmpty();

    effects(dispatcher.diskShortage("w1", 1, now));
    effects(dispatcher.diskShortage("w1", 1, now));

    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
    assertThat(written(dispatcher, "fa", 70, 8)).as("a task reads it").isEmpty();
    assertThat(effects(dispatcher.tick(now))).isEmpty();
    assertThat(effects(dispatcher.diskShortage("w1", 1, now)))
        .as("no other file can leave")
        .containsExactly(dropped("fa", 70));
    loseNode(dispatcher);
    assertThat(start(dispatcher.workerJoined(ON_N2, now)).stores().inputs())
        .as("it is in HDFS")
        .isEmpty();
  }

  @Test
  void aFileLeavesAFullDiskWhenItsReaderHasEnded() {
    Dispatcher dispatcher = onNodes(Set.of("fa", "fb"), new Limits(1, 4).withKeepGoing());
    Effect.Start b = quickly(dispatcher);
    effects(dispatcher.diskShortage("w1", 1, now));
    effects(dispatcher.tick(now));
    assertThat(written(dispatcher, "fa", 70, 8)).as("a task reads it").isEmpty();

    effects(dispatcher.reported("w1", Reports.failed(b, 1), now));

    assertThat(effects(dispatcher.tick(now))).contains(dropped("fa", 70));
  }

  @Test
  void aFileThatHdfsRefusesMakesNoRoom() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = quickly(dispatcher);
    effects(dispatcher.diskShortage("w1", 1, now));
    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
    assertThat(refused(dispatcher, "fa", 70)).isEmpty();
    TaskReport quick =
        Reports.took(onNode(b, "fb", 71), 1_000)
            .withFiles(List.of(), onNode(b, "fb", 71).outputs(), List.of());
    start(dispatcher.reported("w1", quick, now));

    effects(dispatcher.diskShortage("w1", 1, now));

    assertThat(effects(dispatcher.tick(now))).contains(order("fb", 71));
  }

  private static Effect.DropStored dropped(String file, long millis) {
    return new Effect.DropStored("w1", file, new NodeContent(9, 5, millis, List.of("n1")));
  }

  @Test
  void filesThatHdfsHasLeaveANodeFirst() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);
    effects(dispatcher.tick(now));
    assertThat(written(dispatcher, "fa", 70, 8)).isEmpty();

    assertThat(effects(dispatcher.diskShortage("w1", 1, now))).containsExactly(dropped("fa", 70));
    assertThat(effects(dispatcher.diskShortage("w1", 1, now))).isEmpty();
  }

  @Test
  void theCopyIsReadWhenTheNodeIsLost() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);
    effects(dispatcher.tick(now));
    assertThat(written(dispatcher, "fa", 70, 8)).isEmpty();
    assertThat(journal).contains(new DispatchRecord.WrittenBack(copy("fa", 8), 70, now - 1));
    Dispatcher second = deleting();
    journal.forEach(second::replay);
    effects(second.start(now));

    loseNode(dispatcher);
    Effect.Start again = start(dispatcher.workerJoined(ON_N2, now));
    loseNode(second);

    assertThat(again.task()).isEqualTo("b");
    assertThat(again.stores().inputs()).as("it is in HDFS").isEmpty();
    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
    assertThat(start(second.workerJoined(ON_N2, now)).task()).isEqualTo("b");
  }

  @Test
  void anotherWorkerOfTheNodeTakesOver() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);
    effects(dispatcher.tick(now));
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));

    assertThat(effects(dispatcher.tick(now)))
        .containsExactly(
            new Effect.WriteBack("w3", "fa", new NodeContent(9, 5, 70, List.of("n1")), true));
  }

  @Test
  void aCopyIsNotDeletedBeforeThatOfWhatItsReaderMade() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    written(dispatcher, "fa", 70, 8);
    start(dispatcher.reported("w1", onNode(b, "fb", 71), now));

    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fb", 71));
    written(dispatcher, "fb", 71, 9);

    assertThat(effects(dispatcher.tick(now)))
        .containsExactly(
            new Effect.DropStored("w1", "fa", new NodeContent(9, 5, 70, List.of("n1"))),
            new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, now - 1, 8))));
  }

  @Test
  void aCopyOfAFileThatWasReleasedMeanwhileIsDeleted() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    start(dispatcher.reported("w1", onNode(b, "fb", 71), now));
    assertThat(effects(dispatcher.tick(now)))
        .as("a copy is ordered beside the first one")
        .containsExactly(
            order("fb", 71),
            new Effect.DropStored("w1", "fa", new NodeContent(9, 5, 70, List.of("n1"))));

    assertThat(written(dispatcher, "fa", 70, 8))
        .contains(
            new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, now - 1, 8))));
  }

  /** The first ApplicationMaster has died before its journal had the copy. */
  @Test
  void theNextApplicationMasterDeletesACopyOfAReleasedFile() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    start(dispatcher.reported("w1", onNode(b, "fb", 71), now));
    effects(dispatcher.tick(now));
    Dispatcher second = deleting();
    journal.forEach(second::replay);
    effects(second.start(now));

    assertThat(written(second, "fa", 70, 8))
        .containsExactly(
            new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, now - 1, 8))));
  }

  @Test
  void theRunFailsWhenAFileThatItKeepsCannotBeCopied() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = first(dispatcher);
    for (int tries = 1; tries < WriteBackScheduler.TRIES; tries++) {
      assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
      assertThat(failed(dispatcher, "fa", 70)).isEmpty();
      assertThat(effects(dispatcher.tick(now))).as("after a pause").isEmpty();
      now += WriteBackScheduler.PAUSE_MILLIS << tries;
    }
    effects(dispatcher.tick(now));
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now)))
        .as("the copy may succeed")
        .isEmpty();

    assertFailed(failed(dispatcher, "fa", 70), "no quota");
  }

  @Test
  void theRunFailsAtOnceWhenHdfsRefusesAFileThatItKeeps() {
    Dispatcher dispatcher = keeping();
    first(dispatcher);
    effects(dispatcher.tick(now));

    assertFailed(refused(dispatcher, "fa", 70), "quota: raise it");
  }

  @Test
  void aRunThatKeepsGoingFailsAtItsEndWhenHdfsRefusesAFile() {
    Dispatcher dispatcher = onNodes(Set.of(), LIMITS.withKeepGoing());
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    assertThat(refused(dispatcher, "fa", 70)).isEmpty();
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now))).isEmpty();

    now += WriteBackScheduler.PAUSE_MILLIS;
    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));
    assertFailed(refused(dispatcher, "fa", 70), "quota: raise it");
  }

  @Test
  void aFileThatItsNodeDoesNotHaveIsMadeAgain() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    WriteBackEnd gone = new WriteBackEnd(70, null, "it was altered", true, false);

    effects(dispatcher.writtenBack("w1", "fa", gone, now));

    assertThat(journal).contains(new DispatchRecord.FilesLost(List.of("fa")));
    Effect.Start again = start(dispatcher.reported("w1", Reports.inputLost(b, "fa"), now));
    assertThat(again.task()).isEqualTo("a");
  }

  @Test
  void aDismissedWorkerIsNotWaitedFor() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));
    effects(dispatcher.tick(now));
    effects(dispatcher.reported("w1", Reports.infrastructure(b), now));

    List<String> dismissed = dispatcher.workerDemand().dismiss(1, now);

    assertThat(dismissed).hasSize(1);
    String other = dismissed.get(0).equals("w1") ? "w3" : "w1";
    if (other.equals("w3")) {
      assertThat(effects(dispatcher.tick(now)))
          .contains(
              new Effect.WriteBack("w3", "fa", new NodeContent(9, 5, 70, List.of("n1")), true));
    }
  }

  /** A worker of an earlier ApplicationMaster has copied the file, too. */
  @Test
  void aSecondCopyWithTheSameContentReplacesTheFirst() {
    Dispatcher dispatcher = keeping();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    written(dispatcher, "fa", 70, 8);
    effects(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));

    assertThat(written(dispatcher, "fa", 70, 9)).isEmpty();
    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
  }

  @Test
  void copiesOfCopiedFilesGoWhenTheRunEnds() {
    Dispatcher dispatcher = deleting();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.tick(now));
    written(dispatcher, "fa", 70, 8);
    Effect.Start c = start(dispatcher.reported("w1", onNode(b, "fb", 71), now));
    effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));

    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .filteredOn(Effect.DeleteFiles.class::isInstance)
        .flatExtracting(effect -> ((Effect.DeleteFiles) effect).files())
        .extracting(Effect.UnneededFile::file)
        .contains("fa");
  }

  @Test
  void aFailedRunEndsWhenHdfsHasWhatTheNextOneCanUse() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);
    RunFailure failure = RunFailure.ofRun("no", "");

    assertThat(effects(dispatcher.fail("", failure, now)))
        .containsExactly(new Effect.Stop("w1", "b", 1));
    assertThat(effects(dispatcher.tick(now))).containsExactly(order("fa", 70));

    assertThat(written(dispatcher, "fa", 70, 8))
        .startsWith(new Effect.Failed("", failure))
        .doesNotHaveAnyElementsOfTypes(Effect.DeleteFiles.class);
  }

  @Test
  void aFailedRunDoesNotWaitLong() {
    Dispatcher dispatcher = deleting();
    first(dispatcher);
    effects(dispatcher.fail("", RunFailure.ofRun("no", ""), now));

    now += GraphCompletion.DRAIN_MILLIS;

    assertThat(effects(dispatcher.tick(now))).hasAtLeastOneElementOfType(Effect.Failed.class);
  }
}

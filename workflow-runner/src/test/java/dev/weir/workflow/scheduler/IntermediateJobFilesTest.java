package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.intermediate;
import static dev.weir.workflow.scheduler.Additions.plain;
import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import dev.weir.workflow.scheduler.state.NodeFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Outputs of single jobs that stay on nodes for later jobs of the session. */
class IntermediateJobFilesTest extends GrowingFixture {

  private static TaskReport onNode(Effect.Start start, String file, long millis) {
    return Reports.succeeded(start, "n1", 9)
        .withFiles(
            List.of(),
            List.of(new StoredFile(file, 9, Map.of("n1", 9L), 5, List.of(), 0, millis)),
            List.of());
  }

  private static NodeContent content(long millis) {
    return new NodeContent(9, 5, millis, List.of("n1"));
  }

  private static Effect.WriteBack copy(String file, long millis) {
    return new Effect.WriteBack("w1", file, content(millis), true);
  }

  private List<Effect> copied(Dispatcher at, String file, long millis) {
    StoredFile copy = new StoredFile(file, 9, Map.of("n2", 9L), 5, List.of(), 8);
    return effects(
        at.writtenBack("w1", file, new WriteBackEnd(millis, copy, "", false, false), now));
  }

  /** Node n1 has fa, which the job a has made. */
  private void make() {
    begin();
    Effect.Start a = start(growing.add(intermediate(task("a", List.of(), List.of("fa"))), now));
    assertThat(a.stores()).isEqualTo(new Effect.Stores(Set.of("fa"), Map.of()));
    assertThat(effects(growing.reported("w1", onNode(a, "fa", 70), now))).isEmpty();
  }

  private Effect.Start read(Dispatcher at, String job) {
    return start(at.add(plain(task(job, List.of("fa"), List.of())), now));
  }

  private void loseNode() {
    effects(growing.workerLost("w1", "gone", now));
    effects(growing.tick(now));
    now += NodeFiles.GRACE_MILLIS;
    effects(growing.tick(now));
  }

  @Test
  void aLaterJobReadsItFromItsNode() {
    make();
    assertThat(effects(growing.tick(now))).as("HDFS need not have it").isEmpty();

    assertThat(read(growing, "b").stores())
        .isEqualTo(new Effect.Stores(Set.of(), Map.of("fa", content(70))));
  }

  @Test
  void theNextApplicationMasterKnowsIt() {
    make();
    Dispatcher second = growing(WorkerSize.ONE_TASK);
    journal.forEach(second::replay);
    effects(second.start(now));
    effects(second.workerJoined(ON_N1, now));

    assertThat(read(second, "b").stores().inputs()).containsEntry("fa", content(70));
  }

  @Test
  void itIsMadeAgainOnlyWhenAJobNeedsIt() {
    make();
    loseNode();
    assertThat(effects(growing.workerJoined(ON_N2, now))).isEmpty();

    Effect.Start again = read(growing, "b");

    assertThat(again.task()).isEqualTo("a");
    assertThat(start(growing.reported("w2", Reports.succeeded(again, "n2", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aJobThatWaitsForALostFileGetsIt() {
    make();
    effects(growing.workerLost("w1", "gone", now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    effects(growing.tick(now));
    now += NodeFiles.GRACE_MILLIS;
    effects(growing.tick(now));

    assertThat(start(growing.workerJoined(ON_N2, now)).task()).isEqualTo("a");
  }

  @Test
  void anIdleWorkerCopiesItToHdfsBeforeItIsReleased() {
    make();
    assertThat(growing.workerDemand().dismiss(1, now)).isEmpty();

    assertThat(effects(growing.tick(now))).containsExactly(copy("fa", 70));
    assertThat(copied(growing, "fa", 70))
        .containsExactly(new Effect.DropStored("w1", "fa", content(70)));

    assertThat(growing.workerDemand().dismiss(1, now)).containsExactly("w1");
    effects(growing.workerJoined(ON_N2, now));
    assertThat(read(growing, "b").stores()).isEqualTo(Effect.Stores.NONE);
  }

  @Test
  void aJobIsForgottenWhenHdfsHasItsFile() {
    make();
    assertThat(growing.forget(List.of("a"))).isEmpty();
    assertThat(effects(growing.tick(now))).containsExactly(copy("fa", 70));
    copied(growing, "fa", 70);

    assertThat(growing.forget(List.of("a"))).containsExactly("a");

    Dispatcher second = growing(WorkerSize.ONE_TASK);
    journal.forEach(second::replay);
    assertThat(second.forget(List.of("a"))).as("the journal has the copy").containsExactly("a");
  }

  @Test
  void aReaderKeepsTheVersionThatItWasAddedFor() {
    make();
    Effect.Start b = read(growing, "b");

    effects(growing.add(intermediate(task("c", List.of(), List.of("fa"))), now));
    Effect.Start c = start(growing.reported("w1", Reports.succeeded(b, Set.of()), now));

    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
    assertThat(c.task()).isEqualTo("c");
    assertThat(effects(growing.reported("w1", onNode(c, "fa", 80), now))).isEmpty();
    assertThat(read(growing, "d").stores().inputs()).containsEntry("fa", content(80));
  }

  @Test
  void aVersionThatNoJobReadsGoesWithTheNextOne() {
    make();

    List<Effect> effects =
        effects(growing.add(intermediate(task("c", List.of(), List.of("fa"))), now));

    assertThat(effects).contains(new Effect.DropStored("w1", "fa", content(70)));
  }

  @Test
  void itIsNotReplacedWhileItIsCopied() {
    make();
    effects(growing.tick(now));
    growing.workerDemand().dismiss(1, now);
    effects(growing.tick(now));

    assertThat(growing.refusal(plain(task("c", List.of(), List.of("fa")))))
        .get()
        .asString()
        .contains("'fa' is being copied to HDFS");
  }

  @Test
  void aRepeatedCopyOfAFileOfAForgottenJobIsIgnored() {
    make();
    growing.forget(List.of("a"));
    effects(growing.tick(now));
    copied(growing, "fa", 70);
    read(growing, "b");
    assertThat(growing.forget(List.of("a"))).containsExactly("a");

    assertThat(copied(growing, "fa", 70)).isEmpty();
    assertThat(copied(growing, "other", 70)).isEmpty();
  }

  @Test
  void aRepeatedCopyDoesNotUndoANewerVersionInHdfs() {
    make();
    Effect.Start c = start(growing.add(plain(task("c", List.of(), List.of("fa"))), now));
    effects(growing.reported("w1", Reports.succeeded(c, "n1", 10), now));

    assertThat(copied(growing, "fa", 70)).isEmpty();

    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
    assertThat(read(growing, "d").task()).isEqualTo("d");
  }

  @Test
  void aReplacedVersionGoesWhenItsReaderHasFailed() {
    make();
    Effect.Start b = read(growing, "b");
    effects(growing.reported("w1", Reports.failed(b, 1), now));

    List<Effect> effects =
        effects(growing.add(intermediate(task("c", List.of(), List.of("fa"))), now));

    assertThat(effects).contains(new Effect.DropStored("w1", "fa", content(70)));
    assertThat(growing.forget(List.of("a"))).containsExactly("a");
  }

  @Test
  void aReplacedVersionGoesWhenItsReaderIsCancelled() {
    make();
    effects(growing.add(plain(task("busy", List.of(), List.of())), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    effects(growing.add(intermediate(task("c", List.of(), List.of("fa"))), now));

    effects(growing.cancel("b", now));

    assertThat(effects(growing.tick(now))).contains(new Effect.DropStored("w1", "fa", content(70)));
  }

  private boolean mayCopy(Dispatcher at, String worker, String file, long millis) {
    List<Effect> effects = effects(at.mayWriteBack(worker, file, millis, now));
    boolean granted = effects.contains(new Effect.PermitWriteBack(worker, file, millis, true));
    assertThat(effects).containsExactly(new Effect.PermitWriteBack(worker, file, millis, granted));
    return granted;
  }

  @Test
  void aCopyGetsItsNameWhileTheFileIsOnlyOnItsNode() {
    make();
    growing.forget(List.of("a"));
    assertThat(effects(growing.tick(now))).containsExactly(copy("fa", 70));
    effects(growing.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));

    assertThat(mayCopy(growing, "w1", "fa", 70)).isTrue();
    assertThat(mayCopy(growing, "w3", "fa", 70)).as("another worker copies it").isFalse();
    assertThat(mayCopy(growing, "w1", "fa", 69)).as("an older version").isFalse();
    assertThat(mayCopy(growing, "w1", "other", 70)).as("an unknown file").isFalse();
    copied(growing, "fa", 70);
    assertThat(mayCopy(growing, "w1", "fa", 70)).as("HDFS has it").isFalse();
  }

  @Test
  void aCopyDoesNotReplaceTheFileOfALaterJob() {
    make();
    effects(growing.add(plain(task("c", List.of(), List.of("fa"))), now));

    assertThat(mayCopy(growing, "w1", "fa", 70)).isFalse();
  }

  @Test
  void aLostWorkerDoesNotNameItsCopy() {
    make();
    growing.forget(List.of("a"));
    effects(growing.tick(now));
    effects(growing.workerLost("w1", "gone", now));

    assertThat(mayCopy(growing, "w1", "fa", 70)).isFalse();
  }

  @Test
  void aCopyOfAnEarlierApplicationMasterKeepsLaterJobsFromItsFile() {
    make();
    Dispatcher second = growing(WorkerSize.ONE_TASK);
    journal.forEach(second::replay);
    effects(second.start(now));
    effects(second.workerJoined(ON_N1, now));

    assertThat(mayCopy(second, "w1", "fa", 70)).isTrue();

    assertThat(second.refusal(plain(task("c", List.of(), List.of("fa"))))).isPresent();
  }
}

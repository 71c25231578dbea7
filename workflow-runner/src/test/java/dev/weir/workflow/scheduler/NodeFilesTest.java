package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.NodeFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Intermediate files that only the store of a node has. */
class NodeFilesTest extends DispatcherFixture {

  private static final WorkerInfo ON_N2 = new WorkerInfo("w2", "n2", "/r");

  /** A chain whose files may stay on nodes. */
  private Dispatcher dispatcher() {
    return onNodes(Set.of("fa", "fb"));
  }

  private static TaskReport onNode(Effect.Start start, String file, String node, long millis) {
    return Reports.succeeded(start, node, 9)
        .withFiles(
            List.of(),
            List.of(new StoredFile(file, 9, Map.of(node, 9L), 5, List.of(), 0, millis)),
            List.of());
  }

  private static NodeContent content(String node, long millis) {
    return new NodeContent(9, 5, millis, List.of(node));
  }

  private static List<String> dropped(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.DropStored.class::isInstance)
        .map(effect -> ((Effect.DropStored) effect).file())
        .toList();
  }

  /** A chain of which a is done and b runs on the same worker. */
  private Effect.Start first(Dispatcher dispatcher) {
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(a.stores()).isEqualTo(new Effect.Stores(Set.of("fa"), Map.of()));
    Effect.Start b = start(dispatcher.reported("w1", onNode(a, "fa", "n1", 70), now));
    assertThat(b.task()).isEqualTo("b");
    return b;
  }

  @Test
  void ordersSayWhatIsOnWhichNode() {
    Dispatcher dispatcher = dispatcher();
    Effect.Start b = first(dispatcher);
    assertThat(b.stores())
        .isEqualTo(new Effect.Stores(Set.of("fb"), Map.of("fa", content("n1", 70))));

    Effect.Start c = start(dispatcher.reported("w1", onNode(b, "fb", "n1", 71), now));

    assertThat(c.stores().outputs()).as("a result goes to HDFS").isEmpty();
    assertThat(c.stores().inputs()).containsOnlyKeys("fb");
  }

  @Test
  void filesAreDroppedFromTheirNodeAfterTheirLastReader() {
    Dispatcher dispatcher = dispatcher();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.reported("w1", onNode(b, "fb", "n1", 71), now));

    List<Effect> effects = effects(dispatcher.tick(now));

    assertThat(effects).containsExactly(new Effect.DropStored("w1", "fa", content("n1", 70)));
    assertThat(journal).contains(new DispatchRecord.FilesReleased(List.of("fa")));
    assertThat(effects(dispatcher.tick(now))).as("once").isEmpty();
  }

  @Test
  void filesOfAFailedGraphAreDropped() {
    Dispatcher dispatcher = dispatcher();
    first(dispatcher);

    effects(dispatcher.fail("", RunFailure.ofRun("no", ""), now));
    now += GraphCompletion.DRAIN_MILLIS;
    List<Effect> end = effects(dispatcher.tick(now));

    assertThat(dropped(end)).containsExactly("fa");
  }

  @Test
  void lastWorkerOfANodeStaysForItsFiles() {
    Dispatcher dispatcher = dispatcher();
    Effect.Start b = first(dispatcher);
    effects(dispatcher.workerJoined(ON_N2, now));
    effects(dispatcher.reported("w1", Reports.infrastructure(b), now));
    // The task is delayed, so both workers are idle.
    assertThat(dispatcher.workerDemand().dismiss(2, now)).containsExactly("w2");
    effects(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));
    assertThat(dispatcher.workerDemand().dismiss(2, now)).as("one of n1 stays").hasSize(1);
  }

  @Test
  void filesOfANodeWithoutWorkersAreMadeAgain() {
    Dispatcher dispatcher = dispatcher();
    first(dispatcher);
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.tick(now));
    now += NodeFiles.GRACE_MILLIS;
    effects(dispatcher.tick(now));

    Effect.Start again = start(dispatcher.workerJoined(ON_N2, now));

    assertThat(again.task()).isEqualTo("a");
    assertThat(journal).contains(new DispatchRecord.FilesLost(List.of("fa")));
    Dispatcher second = dispatcher();
    journal.forEach(second::replay);
    effects(second.start(now));
    assertThat(start(second.workerJoined(ON_N2, now)).task()).isEqualTo("a");
  }

  @Test
  void aNewWorkerOfTheNodeServesItsFiles() {
    Dispatcher dispatcher = dispatcher();
    first(dispatcher);
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.tick(now));
    now += NodeFiles.GRACE_MILLIS - 1_000;

    Effect.Start b = start(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));
    now += NodeFiles.GRACE_MILLIS;
    effects(dispatcher.tick(now));

    assertThat(b.task()).isEqualTo("b");
    assertThat(b.stores().inputs()).containsEntry("fa", content("n1", 70));
    assertThat(journal).noneMatch(DispatchRecord.FilesLost.class::isInstance);
  }

  @Test
  void aRestartedDispatcherKnowsThem() {
    Dispatcher first = dispatcher();
    first(first);

    Dispatcher second = dispatcher();
    journal.forEach(second::replay);
    effects(second.start(now));

    assertThat(start(second.workerJoined(ON_N2, now)).stores().inputs())
        .containsEntry("fa", content("n1", 70));
  }
}

package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Intermediate files are deleted after their last reader, and made again when they are needed. */
class IntermediateFileReleaserTest extends DispatcherFixture {

  private static final List<String> TEMPORARIES = List.of("fa", "fb");

  private Dispatcher dispatcher(Workflow workflow, Limits limits) {
    return dispatcher(workflow, limits, Set.copyOf(TEMPORARIES), Set.of());
  }

  private static Dispatcher dispatcher(
      Workflow workflow, Limits limits, Set<String> temporaries, Set<String> wanted) {
    return new Dispatcher(
        AssignmentPolicy.FIFO,
        WorkerSize.ONE_TASK,
        new Graph(
            "",
            workflow,
            limits,
            0,
            false,
            TaskProfiles.NONE,
            temporaries,
            wanted,
            List.of(),
            Set.of()));
  }

  private Effect.Start done(Dispatcher dispatcher, Effect.Start start) {
    return start(dispatcher.reported("w1", Reports.succeeded(start, "n1", 9), now));
  }

  private static List<String> deleted(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.DeleteFiles.class::isInstance)
        .flatMap(effect -> ((Effect.DeleteFiles) effect).files().stream())
        .map(Effect.UnneededFile::file)
        .toList();
  }

  /** A chain of which a, b and c are done; fa and fb are deleted. */
  private Dispatcher chainDone() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start c = done(dispatcher, b);
    assertThat(deleted(effects(dispatcher.tick(now)))).containsExactly("fa");
    effects(dispatcher.deleted(List.of("fa"), now));
    effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));
    return dispatcher;
  }

  @Test
  void aFileIsJournalledAndDeletedWhenItsLastReaderIsDone() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    long made = now;
    Effect.Start b = done(dispatcher, a);
    assertThat(effects(dispatcher.tick(now))).as("b reads it").isEmpty();
    done(dispatcher, b);

    assertThat(effects(dispatcher.tick(now)))
        .containsExactly(
            new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, made, 0))));
    assertThat(journal.get(journal.size() - 1))
        .isEqualTo(new DispatchRecord.FilesReleased(List.of("fa")));
    assertThat(effects(dispatcher.tick(now))).as("once").isEmpty();
  }

  @Test
  void aTemporaryFileThatNoTaskReadsIsDeletedAfterItsTaskAndIsNoResult() {
    Workflow workflow =
        Graphs.of(
            task("a", List.of("in"), List.of("fa", "spare")),
            task("b", List.of("fa"), List.of("fb")));
    Dispatcher dispatcher =
        dispatcher(Graphs.withTemporary(workflow, "spare"), LIMITS, Set.of("spare"), Set.of());
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));

    assertThat(deleted(effects(dispatcher.tick(now)))).containsExactly("spare");
    effects(dispatcher.deleted(List.of("spare"), now));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now)))
        .contains(new Effect.Check("", List.of("fb")));
  }

  @Test
  void theFileIdSurvivesARestart() {
    Dispatcher first = dispatcher(Graphs.chain(), LIMITS);
    first.start(now);
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    StoredFile made = new StoredFile("fa", 9, Map.of("n1", 9L), 1, List.of(), 77);
    long when = now;
    Effect.Start b =
        start(
            first.reported(
                "w1",
                Reports.succeeded(a, "n1", 9).withFiles(List.of(), List.of(made), List.of()),
                now));
    done(first, b);
    Effect gone = new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, when, 77)));
    assertThat(effects(first.tick(now))).containsExactly(gone);

    Dispatcher second = dispatcher(Graphs.chain(), LIMITS);
    journal.forEach(second::replay);
    assertThat(effects(second.start(now))).containsExactly(gone);
  }

  @Test
  void onlyTemporaryFilesAreDeleted() {
    Dispatcher dispatcher = finished(LIMITS);
    assertThat(effects(dispatcher.tick(now))).isEmpty();
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .containsExactly(new Effect.Succeeded(""));
  }

  @Test
  void theLastFilesAreDeletedAfterTheCheckOfResults() {
    Dispatcher dispatcher = chainDone();
    assertThat(effects(dispatcher.tick(now))).as("the results may be lost").isEmpty();

    List<Effect> end = effects(dispatcher.checked("", List.of(), now));

    assertThat(deleted(end)).containsExactly("fb");
    assertThat(end).last().isEqualTo(new Effect.Succeeded(""));
  }

  @Test
  void deletedFilesAreMadeAgainRecursively() {
    Dispatcher dispatcher = chainDone();
    // A result is lost, so that the run continues; fb was deleted meanwhile.
    Effect.Start c = start(dispatcher.checked("", List.of("fc"), now));
    assertThat(c.task()).as("fb is still there").isEqualTo("c");

    Effect.Start a = start(dispatcher.reported("w1", Reports.inputLost(c, "fb"), now));

    assertThat(a).isEqualTo(Starts.of("w1", "a", 2, List.of("fa")));
    Effect.Start b = done(dispatcher, a);
    assertThat(b).isEqualTo(Starts.of("w1", "b", 2, List.of("fb")));
    assertThat(done(dispatcher, b)).isEqualTo(Starts.of("w1", "c", 3, List.of("fc")));
    assertThat(deleted(effects(dispatcher.tick(now)))).as("once more").containsExactly("fa");
    assertThat(dispatcher.progress().failedAttempts()).isZero();
  }

  @Test
  void deletedFilesAreNotLost() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start c = done(dispatcher, b);
    effects(dispatcher.tick(now));
    effects(dispatcher.deleted(List.of("fa"), now));

    assertThat(start(dispatcher.reported("w1", Reports.inputLost(c, "fb"), now)).task())
        .isEqualTo("a");

    assertThat(journal)
        .filteredOn(DispatchRecord.FilesLost.class::isInstance)
        .containsExactly(new DispatchRecord.FilesLost(List.of("fb")));
  }

  @Test
  void aFileIsNotMadeAgainDuringItsDeletion() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start c = done(dispatcher, b);
    assertThat(deleted(effects(dispatcher.tick(now)))).containsExactly("fa");

    assertThat(effects(dispatcher.reported("w1", Reports.inputLost(c, "fb"), now)))
        .as("the new fa might be deleted")
        .isEmpty();

    assertThat(start(dispatcher.deleted(List.of("fa"), now)))
        .isEqualTo(Starts.of("w1", "a", 2, List.of("fa")));
    assertThat(effects(dispatcher.deleted(List.of("fa"), now))).as("said twice").isEmpty();
  }

  @Test
  void aSecondMasterDeletesReleasedFilesAndDoesNotRemakeThem() {
    Dispatcher first = dispatcher(Graphs.chain(), LIMITS);
    first.start(now);
    Effect.Start a = start(first.workerJoined(ON_N1, now));
    long made = now;
    done(first, done(first, a));
    assertThat(deleted(effects(first.tick(now)))).containsExactly("fa");

    Dispatcher second = dispatcher(Graphs.chain(), LIMITS);
    journal.forEach(second::replay);
    assertThat(effects(second.start(now)))
        .as("it may have been deleted or not")
        .containsExactly(
            new Effect.DeleteFiles("", List.of(new Effect.UnneededFile("fa", 9, made, 0))));
    Effect.Start c = start(second.workerJoined(ON_N2, now));
    assertThat(c.task()).as("a and b are done").isEqualTo("c");
    assertThat(second.progress().done()).isEqualTo(2);
  }

  @Test
  void aSecondMasterDoesNotDeleteRemadeFiles() {
    Dispatcher first = chainDone();
    Effect.Start c = start(first.checked("", List.of("fc"), now));
    Effect.Start a = start(first.reported("w1", Reports.inputLost(c, "fb"), now));
    assertThat(done(first, a).task()).isEqualTo("b");

    Dispatcher second = dispatcher(Graphs.chain(), LIMITS);
    journal.forEach(second::replay);

    assertThat(effects(second.start(now))).as("b needs fa").isEmpty();
    assertThat(start(second.workerJoined(ON_N2, now)).task()).isEqualTo("b");
  }

  @Test
  void aSecondMasterDeletesUnneededFilesOfTheFirst() {
    Dispatcher first = dispatcher(Graphs.chain(), LIMITS);
    first.start(now);
    done(first, done(first, start(first.workerJoined(ON_N1, now))));

    Dispatcher second = dispatcher(Graphs.chain(), LIMITS);
    journal.forEach(second::replay);
    effects(second.start(now));

    assertThat(deleted(effects(second.tick(now)))).containsExactly("fa");
  }

  @Test
  void filesThatExistedBeforeTheRunStayEvenIfRemade() {
    Dispatcher first = dispatcher(Graphs.chain(), LIMITS);
    DispatchRecord found = new DispatchRecord.FilesFound(List.of("fa", "unknown"));
    first.replay(found);
    first.start(now);
    Effect.Start b = done(first, start(first.workerJoined(ON_N1, now)));
    Effect.Start c = done(first, b);
    assertThat(effects(first.tick(now))).isEmpty();

    Dispatcher second = dispatcher(Graphs.chain(), LIMITS);
    second.replay(found);
    journal.forEach(second::replay);
    effects(second.start(now));
    assertThat(effects(second.tick(now))).as("nor does a second ApplicationMaster").isEmpty();

    effects(first.reported("w1", Reports.succeeded(c, "n1", 9), now));
    assertThat(deleted(effects(first.checked("", List.of(), now)))).containsExactly("fb");
  }

  @Test
  void filesOfAnEarlierRunAreNotDeleted() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    dispatcher.replay(
        new DispatchRecord.TakenOver(
            "a", "run1", true, List.of(new StoredFile("fa", 9, Map.of("n1", 9L)))));
    dispatcher.start(now);
    Effect.Start b = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(b.task()).isEqualTo("b");
    Effect.Start c = done(dispatcher, b);
    effects(dispatcher.tick(now));
    effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));

    assertThat(deleted(effects(dispatcher.checked("", List.of(), now)))).containsExactly("fb");
  }

  @Test
  void anUnreadFileThatAnEarlierRunDeletedIsNotMadeAgainByARunThatKeepsAll() {
    Dispatcher dispatcher =
        dispatcher(Graphs.withTemporary(Graphs.chain(), "fc"), LIMITS, Set.of(), Set.of());
    for (String task : List.of("a", "b", "c")) {
      dispatcher.replay(
          new DispatchRecord.TakenOver(
              task, "run1", true, List.of(new StoredFile("f" + task, 9, Map.of()))));
    }

    assertThat(effects(dispatcher.start(now))).containsExactly(new Effect.Check("", List.of()));
  }

  @Test
  void missingFilesOfAnEarlierRunAreMadeAgainWhenNeeded() {
    Dispatcher dispatcher = dispatcher(Graphs.chain(), LIMITS);
    for (String task : List.of("a", "b", "c")) {
      Map<String, Long> places = task.equals("c") ? Map.of("n1", 9L) : Map.of();
      dispatcher.replay(
          new DispatchRecord.TakenOver(
              task, "run1", true, List.of(new StoredFile("f" + task, 9, places))));
    }
    assertThat(effects(dispatcher.start(now)))
        .as("nothing is deleted")
        .containsExactly(new Effect.Check("", List.of("fc")));
    effects(dispatcher.workerJoined(ON_N1, now));

    Effect.Start a = start(dispatcher.checked("", List.of("fc"), now));

    assertThat(a).isEqualTo(Starts.of("w1", "a", 1, List.of("fa")));
    assertThat(done(dispatcher, done(dispatcher, a)).task()).isEqualTo("c");
  }

  @Test
  void anIncompleteRunDeletesNothingAtItsEnd() {
    Workflow workflow =
        Graphs.of(
            task("bad", List.of("in"), List.of("y")),
            task("a", List.of("in"), List.of("fa")),
            task("good", List.of("fa"), List.of("x")));
    Dispatcher dispatcher = dispatcher(workflow, new Limits(1, 4).withKeepGoing());
    dispatcher.start(now);
    Effect.Start bad = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start a = start(dispatcher.reported("w1", Reports.failed(bad, 1), now));
    Effect.Start good = done(dispatcher, a);
    assertThat(good.task()).isEqualTo("good");
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(good, "n1", 9), now)))
        .singleElement()
        .isInstanceOf(Effect.Check.class);

    List<Effect> end = effects(dispatcher.checked("", List.of(), now));

    assertThat(deleted(end)).isEmpty();
    assertThat(end).singleElement().isInstanceOf(Effect.Failed.class);
  }

  @Test
  void aRunCancelledDuringTheCheckDeletesNothing() {
    Dispatcher dispatcher = chainDone();
    effects(dispatcher.steer("", "w", Steering.of(Action.CANCEL, ""), now));

    assertThat(effects(dispatcher.checked("", List.of(), now))).isEmpty();
  }

  @Test
  void inputsOfRetriableTasksStay() {
    Workflow workflow =
        Graphs.of(
            task("a", List.of("in"), List.of("fa")),
            task("good", List.of("fa"), List.of("x")),
            task("bad", List.of("fa"), List.of("y")));
    Dispatcher dispatcher = dispatcher(workflow, new Limits(1, 4).withKeepGoing());
    dispatcher.start(now);
    Effect.Start good = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start bad = done(dispatcher, good);
    assertThat(effects(dispatcher.reported("w1", Reports.failed(bad, 1), now)))
        .singleElement()
        .isInstanceOf(Effect.Check.class);

    assertThat(effects(dispatcher.tick(now))).isEmpty();
    Effect.Start again =
        starts(effects(dispatcher.steer("", "w", Steering.of(Action.RETRY, ""), now))).get(0);
    effects(dispatcher.reported("w1", Reports.failed(again, 1), now));

    assertThat(deleted(effects(dispatcher.checked("", List.of(), now)))).isEmpty();
  }

  @Test
  void onlyNeededOutputsAreMadeAgain() {
    Workflow workflow =
        Graphs.of(
            task("a", List.of("in"), List.of("fa", "fb")),
            task("b", List.of("fa"), List.of("x")),
            task("c", List.of("fb"), List.of("y")),
            task("d", List.of("x", "y"), List.of("end")));
    Dispatcher dispatcher = dispatcher(workflow, LIMITS);
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start d = done(dispatcher, done(dispatcher, b));
    assertThat(deleted(effects(dispatcher.tick(now)))).containsExactlyInAnyOrder("fa", "fb");
    effects(dispatcher.deleted(TEMPORARIES, now));

    Effect.Start a = start(dispatcher.reported("w1", Reports.inputLost(d, "y"), now));

    assertThat(a).isEqualTo(Starts.of("w1", "a", 2, List.of("fb")));
    assertThat(done(dispatcher, a).task()).isEqualTo("c");
  }

  @Test
  void wantedFilesAreCheckedAtTheEndAndMadeAgainRecursively() {
    Dispatcher dispatcher =
        dispatcher(Graphs.chain(), LIMITS, Set.of("fa"), Set.of("fb", "unknown"));
    dispatcher.start(now);
    Effect.Start b = done(dispatcher, start(dispatcher.workerJoined(ON_N1, now)));
    Effect.Start c = done(dispatcher, b);
    assertThat(deleted(effects(dispatcher.tick(now)))).containsExactly("fa");
    effects(dispatcher.deleted(List.of("fa"), now));

    List<Effect> end = effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));

    assertThat(end)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Check.class,
            check -> assertThat(check.results()).containsExactlyInAnyOrder("fb", "fc"));
    Effect.Start a = start(dispatcher.checked("", List.of("fb"), now));
    assertThat(a.task()).isEqualTo("a");
    Effect.Start again = done(dispatcher, a);
    assertThat(again.task()).isEqualTo("b");
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now)))
        .as("c is done")
        .singleElement()
        .isInstanceOf(Effect.Check.class);
    assertThat(effects(dispatcher.checked("", List.of(), now)))
        .hasAtLeastOneElementOfType(Effect.Succeeded.class);
  }
}

package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles of earlier runs apply to needs and times that are not declared. */
class TaskProfilesTest {

  private static final WorkerInfo WORKER = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo OTHER = new WorkerInfo("w2", "n2", "/r");
  private static final long GIB = 1L << 30;
  private static final TaskProfiles PROFILES =
      new TaskProfiles(
          Map.of(
              "long", new Profile(9, 100, 100, 120, GIB),
              "short", new Profile(9, 1, 1, 1, 0),
              "wide", new Profile(9, 10, 10, 12, 0, 3.8, 9)));

  private static Task task(String id, String type, double runtime, long memory) {
    return new Task(
        id,
        type,
        List.of("true"),
        List.of(),
        List.of(),
        List.of(),
        runtime,
        new TaskNeeds(1, memory, 0));
  }

  private static Task wide(String id, int cores) {
    return task(id, "wide", 0, 0).withNeeds(new TaskNeeds(cores, 0, 0));
  }

  private static Dispatcher dispatcher(WorkerSize size, Task... tasks) {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(tasks), AssignmentPolicy.DATA_AWARE, Limits.DEFAULT, size, PROFILES);
    dispatcher.start(0);
    return dispatcher;
  }

  @Test
  void theTypeWithTheLongestRunTimeGoesFirst() {
    Dispatcher dispatcher =
        dispatcher(WorkerSize.ONE_TASK, task("a", "short", 0, 0), task("b", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(Effect.Start::task)
        .containsExactly("b");
  }

  @Test
  void declaredTimesTakePrecedence() {
    Dispatcher dispatcher =
        dispatcher(WorkerSize.ONE_TASK, task("a", "short", 1_000, 0), task("b", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(Effect.Start::task)
        .containsExactly("a");
  }

  @Test
  void learnedMemoryIsReservedWithAMargin() {
    Dispatcher dispatcher =
        dispatcher(new WorkerSize(4, 2 * GIB, 0), task("a", "long", 0, 0), task("b", "long", 0, 0));

    List<Effect.Start> first = starts(dispatcher.workerJoined(WORKER, 0));
    assertThat(first).as("one of them fits").hasSize(1);
    assertThat(first.get(0).needs().memoryBytes()).isEqualTo(GIB + GIB / 4);
    assertThat(dispatcher.workerDemand().wantedWorkers()).isEqualTo(2);
  }

  @Test
  void declaredMemoryTakesPrecedence() {
    Dispatcher dispatcher =
        dispatcher(
            new WorkerSize(4, 2 * GIB, 0), task("a", "long", 0, GIB), task("b", "long", 0, GIB));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(start -> start.needs().memoryBytes())
        .containsExactly(GIB, GIB);
  }

  @Test
  void atMostAWorkersMemoryIsReserved() {
    Dispatcher dispatcher = dispatcher(new WorkerSize(4, GIB / 2, 0), task("a", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(start -> start.needs().memoryBytes())
        .containsExactly(GIB / 2);
  }

  @Test
  void stragglersAreFoundByProfilesOfEarlierRuns() {
    Dispatcher dispatcher = dispatcher(WorkerSize.ONE_TASK, task("a", "long", 0, 0));
    dispatcher.speculate(true);
    dispatcher.workerJoined(WORKER, 0);
    dispatcher.workerJoined(OTHER, 0);

    assertThat(starts(dispatcher.tick(TimeUnit.SECONDS.toMillis(199)))).isEmpty();
    assertThat(starts(dispatcher.tick(TimeUnit.SECONDS.toMillis(201))))
        .singleElement()
        .matches(Effect.Start::copy);
  }

  @Test
  void tasksWithFourBusyCoresRunAloneOnFourCores() {
    Dispatcher dispatcher =
        dispatcher(new WorkerSize(4, GIB, 0), wide("a", 0), wide("b", 0), wide("c", 0));

    assertThat(dispatcher.workerDemand().wantedWorkers()).isEqualTo(3);
    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .singleElement()
        .matches(start -> start.needs().cores() == 4);
    assertThat(starts(dispatcher.workerJoined(OTHER, 0))).hasSize(1);
  }

  @Test
  void twoTasksWithFourBusyCoresRunOnEightCores() {
    Dispatcher dispatcher =
        dispatcher(new WorkerSize(8, GIB, 0), wide("a", 0), wide("b", 0), wide("c", 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0))).hasSize(2);
  }

  @Test
  void declaredCoresTakePrecedence() {
    Dispatcher dispatcher =
        dispatcher(new WorkerSize(4, GIB, 0), wide("a", 1), wide("b", 1), wide("c", 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(Effect.Start::task, start -> start.needs().cores())
        .containsExactlyInAnyOrder(tuple("a", 1), tuple("b", 1));
  }

  @Test
  void learnedNeedsNeverRefuseATask() {
    Dispatcher dispatcher = dispatcher(new WorkerSize(2, GIB, 0), wide("a", 0), wide("b", 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .as("the whole worker")
        .singleElement()
        .matches(start -> start.needs().cores() == 2);
  }

  @Test
  void withoutNeedsOnlyTimesCount() {
    assertThat(PROFILES.withoutNeeds().types())
        .containsEntry("long", new Profile(9, 100, 100, 120, 0))
        .containsEntry("wide", new Profile(9, 10, 10, 12, 0))
        .hasSameSizeAs(PROFILES.types());
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0.3, 1", "1.2, 1", "1.49, 1", "1.5, 2", "2.3, 2", "3.8, 4"})
  void busyCoresAreRoundedToTheNearestNumber(double busy, int cores) {
    assertThat(new Profile(1, 1, 1, 1, 0, busy, 1).wholeCores()).isEqualTo(cores);
  }

  @Test
  void readsOlderVersionsAndIgnoresFieldsOfNewerOnes() throws Exception {
    ObjectMapper json = new ObjectMapper();
    String old =
        "{'types':{'a':{'samples':4,'runSeconds':1.5,'expectedSeconds':2.0,'slowSeconds':3.0,"
            + "'peakMemoryBytes':7}}}";
    String later =
        old.replace("'samples':4", "'samples':4,'x':{}").replace("{'types", "{'y':1,'types");

    TaskProfiles profiles = json.readValue(old.replace('\'', '"'), TaskProfiles.class);

    assertThat(profiles.types()).containsExactly(entry("a", new Profile(4, 1.5, 2, 3, 7)));
    assertThat(json.readValue(later.replace('\'', '"'), TaskProfiles.class)).isEqualTo(profiles);
    assertThat(json.readValue(json.writeValueAsString(PROFILES), TaskProfiles.class))
        .isEqualTo(PROFILES);
  }
}

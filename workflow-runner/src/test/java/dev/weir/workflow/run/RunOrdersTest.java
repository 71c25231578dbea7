package dev.weir.workflow.run;

import static dev.weir.workflow.run.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.scheduler.Starts;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.PendingInputs;
import dev.weir.workflow.session.InputResourceNames;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunOrdersTest {
  private static final ApplicationId RUN = ApplicationId.newInstance(36 * 36 - 1, 7);
  private static final ApplicationAttemptId SECOND = ApplicationAttemptId.newInstance(RUN, 2);

  @Test
  void outputsHaveTheirHints() {
    RunPlan plan = Plans.of(1, task("t", List.of("in"), List.of("x", "y")));
    RunOrders orders = new RunOrders("", plan, "run-1", path -> path.equals("/data/x") ? "{}" : "");

    TaskOrder order = orders.order(Starts.of("w", "t", 1, List.of("x", "y")));

    assertThat(order.outputs()).extracting(FileSlot::hint).containsExactly("{}", "");
    assertThat(order.inputs()).extracting(FileSlot::hint).containsExactly("");
  }

  @Test
  void failuresExtendTheTimeLimit() {
    Task limited = task("t", List.of(), List.of("x")).withNeeds(new TaskNeeds(0, 0, 0, 60, false));
    RunOrders orders = Plans.orders(Plans.of(1, limited), "run-1");

    Effect.Start third =
        new Effect.Start(
            "w", "t", 3, List.of("x"), ResourceNeeds.ONE_CORE, false, Effect.Stores.NONE, 2);

    assertThat(orders.order(third).timeLimitMillis()).isEqualTo(180_000);
  }

  @Test
  void orderHasEverythingThatAWorkerNeeds() {
    RunPlan plan = Plans.of(1, task("t", List.of("in a"), List.of("d/x", "d/y")));

    TaskOrder order =
        Plans.orders(plan, AttemptLabels.master(SECOND))
            .order(Starts.of("w", "t", 3, List.of("d/y")));

    assertThat(order)
        .isEqualTo(
            new TaskOrder(
                    "t",
                    3,
                    "zz.7-2-3",
                    List.of("run", "t"),
                    List.of(new FileSlot("in a", "/data/in a", 10)),
                    List.of(new FileSlot("d/y", "/data/d/y", 10)),
                    Map.of("KEY", "value"),
                    true,
                    1500,
                    ResourceNeeds.ONE_CORE)
                .asking(TaskOrder.ASK_AFTER_MILLIS));
  }

  @Test
  void attemptAsksForPermissionIfThereMayBeAnother() {
    RunPlan plan = Plans.of(1, task("t", List.of(), List.of("o")));
    RunPlan without =
        Plans.with(
            plan,
            new RunOptions(
                false, RerunChoice.ALL, false, RetentionPolicy.ALL, false, IntermediateStore.HDFS));
    Effect.Start first = Starts.of("w", "t", 1, List.of("o"));
    Effect.Start copy = Starts.of("w", "t", 2, List.of("o"), true);

    TaskOrder order = Plans.orders(plan, AttemptLabels.master(SECOND)).order(first);
    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS)).isTrue();
    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS - 1)).isFalse();
    assertThat(Plans.orders(plan, AttemptLabels.master(SECOND)).order(copy).asks(0)).isTrue();
    assertThat(Plans.orders(without, AttemptLabels.master(SECOND)).order(first))
        .as("also without speculation, because its worker may count as lost")
        .isEqualTo(order);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 64 << 10})
  void sharedInputsAreMarked(long bytes) {
    RunOrders orders =
        Plans.orders(
            Plans.of(
                bytes,
                1,
                task("a", List.of("own", "common"), List.of("x")),
                task("b", List.of("common", "x"), List.of("y"))),
            AttemptLabels.master(SECOND));

    assertThat(orders.order(Starts.of("w", "a", 1, List.of("x"))).inputs())
        .extracting(FileSlot::name, FileSlot::kind)
        .containsExactly(tuple("own", Kind.WHOLE), tuple("common", Kind.SHARED));
    assertThat(orders.order(Starts.of("w", "b", 1, List.of("y"))).inputs())
        .extracting(FileSlot::kind)
        .containsExactly(Kind.SHARED, Kind.HANDED);
  }

  @Test
  void outputsReadAsAWholeAreMarked() {
    RunOrders orders =
        Plans.orders(
            Plans.of(
                1 << 20,
                1,
                task("a", List.of("in"), List.of("one", "two", "result", "parts")),
                task("b", List.of("one", "two", "parts@0+5"), List.of("x")),
                task("c", List.of("two"), List.of("y"))),
            AttemptLabels.master(SECOND));

    assertThat(
            orders
                .order(Starts.of("w", "a", 1, List.of("one", "two", "result", "parts")))
                .outputs())
        .extracting(FileSlot::kind)
        .containsExactly(Kind.HANDED, Kind.HANDED, Kind.WHOLE, Kind.LOCATED);
    assertThat(orders.order(Starts.of("w", "c", 1, List.of("y"))).inputs())
        .extracting(FileSlot::kind)
        .containsExactly(Kind.SHARED);
  }

  @ParameterizedTest
  @CsvSource({
    "3, 1, 5, WHOLE",
    "4, 1, 5, SHARED",
    "11, 3, 5, WHOLE",
    "12, 3, 5, SHARED",
    "7, 3, 2, WHOLE",
    "8, 3, 2, SHARED"
  })
  void smallInputIsCachedIfManyTasksPerNodeReadIt(int readers, int nodes, int workers, Kind kind) {
    Task[] tasks = new Task[readers];
    Arrays.setAll(tasks, i -> task("t" + i, List.of("common"), List.of("x" + i)));
    String[] names = IntStream.range(0, nodes).mapToObj(i -> "n" + i).toArray(String[]::new);
    RunOrders orders =
        Plans.orders(Plans.on(Plans.of(300L, workers, tasks), names), AttemptLabels.master(SECOND));

    assertThat(orders.order(Starts.of("w", "t0", 1, List.of("x0"))).inputs())
        .extracting(FileSlot::kind)
        .containsExactly(kind);
  }

  @Test
  void temporaryFilesOfALostAttemptAreFoundByTheirNames() {
    RunOrders orders =
        Plans.orders(
            Plans.of(1, task("t", List.of("in"), List.of("d/x", "d/y"))),
            AttemptLabels.master(SECOND));

    assertThat(orders.temporaryPaths(new Effect.Discard("t", 3, List.of("d/y"))))
        .as("also names given by the first ApplicationMaster")
        .containsExactly("/data/d/y.weir-zz.7-1-3", "/data/d/y.weir-zz.7-2-3");
  }

  @Test
  void joinedFileOfALostAttemptIsLeftToTheNext() {
    Task join = new Task("j", "join", List.of(), List.of("y@0+10"), List.of("y"), 0);
    RunOrders orders =
        Plans.orders(
            Plans.of(1, task("t", List.of(), List.of("y@0+10")), join),
            AttemptLabels.master(SECOND));

    assertThat(orders.temporaryPaths(new Effect.Discard("j", 3, List.of("y")))).isEmpty();
    assertThat(TemporaryName.runOf(AttemptLabels.of(AttemptLabels.master(SECOND), 3)))
        .isEqualTo(AttemptLabels.run(RUN));
  }

  @Test
  void onlyTemporaryFilesOfOutputsAreRecognized() {
    TemporaryFiles files =
        new TemporaryFiles(
            Plans.of(1, task("t", List.of("in"), List.of("d/x", "d/x.weir-1"))),
            AttemptLabels.run(RUN));

    assertThat(files.isTemporary("/data/d/x.weir-zz.7-1-1")).isTrue();
    assertThat(files.isTemporary("/data/d/x.weir-1.weir-zz.7-1-2")).isTrue();
    assertThat(files.isTemporary("/data/d/x")).isFalse();
    assertThat(files.isTemporary("/data/in.weir-zz.7-1-1")).isFalse();
    assertThat(files.isTemporary("/data/d/mine.weir-zz.7-1-1")).isFalse();
    assertThat(files.isTemporary("/data/d/x.weir-zz.71-1-1")).as("a file of another run").isFalse();
  }

  @Test
  void containersAreRequestedNearTheInputsOfTheFirstTasks() {
    RunPlan plan =
        Plans.of(
            2,
            task("a", List.of("in 1"), List.of("x")),
            task("b", List.of("in,2"), List.of("y")),
            task("c", List.of("in 3"), List.of("z")),
            task("later", List.of("x", "late"), List.of()));

    assertThat(InputResourceNames.names(plan, 0))
        .containsExactly(
            List.of("weir:%2Fdata%2Fin%201,%2Fdata%2Fin%203"), List.of("weir:%2Fdata%2Fin%2C2"));
  }

  @Test
  void requestsIncludeTheLinkSpeed() {
    RunPlan plan = Plans.of(1, task("a", List.of("in"), List.of("x")));

    assertThat(InputResourceNames.names(plan, 60_000_000))
        .containsExactly(List.of("weir:%2Fdata%2Fin;rate=60000000"));
    assertThat(InputResourceNames.names(plan::path, new PendingInputs(List.of("x", "in"), 7)))
        .containsExactly("weir:%2Fdata%2Fx,%2Fdata%2Fin;rate=7");
    assertThat(InputResourceNames.names(plan::path, new PendingInputs(List.of(), 7))).isEmpty();
  }

  @Test
  void oneWorkerOnEachNodeNeedsNoFiles() {
    RunPlan plan = Plans.of(2, task("a", List.of("in"), List.of("x")));

    assertThat(InputResourceNames.names(Plans.on(plan, "n1", "n2", "n3"), 0)).hasSize(1);
    assertThat(InputResourceNames.names(Plans.on(plan, "n1", "n2"), 0)).isEmpty();
    assertThat(InputResourceNames.names(Plans.on(plan, "n1"), 0)).isEmpty();
  }

  @Test
  void workersBeyondTheFirstTasksHaveNoFiles() {
    RunPlan plan = Plans.of(3, task("a", List.of("in"), List.of("x")));

    assertThat(InputResourceNames.names(plan, 0)).hasSize(1);
  }
}

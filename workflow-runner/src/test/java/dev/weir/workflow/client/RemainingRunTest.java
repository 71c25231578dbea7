package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.estimate.ClusterRates;
import dev.weir.workflow.estimate.EstimateCluster;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RemainingRunTest {

  private static final ClusterRates RATES = new ClusterRates(1e9, 1e9, 0, 0);
  private static final RunPlan PLAN =
      new RunPlan(
          new Workflow(
              "w",
              IntStream.range(0, 8)
                  .mapToObj(i -> new Task("t" + i, "t", List.of("x"), List.of(), List.of(), 10))
                  .toList(),
              Map.of()),
          Mode.WEIR,
          "hdfs://nn",
          "/data",
          false,
          WorkerPlan.DEFAULT.withCount(1),
          Map.of(),
          Map.of(),
          "ann",
          RunOptions.DEFAULT,
          Map.of("n1", "/r"));

  private static DispatchRecord ended(String task, TaskReport.Result result, long millis) {
    return new DispatchRecord.AttemptEnded(
        new WorkerInfo("w1", "n1", "/r"),
        0,
        0,
        0,
        new TaskReport(
            task,
            1,
            result,
            0,
            "",
            "",
            List.of(),
            List.of(),
            new Usage(0, 0, millis, 0, 0, 0, 0, 0)),
        false,
        false,
        null);
  }

  private static double left(RemainingRun run, int workers, List<Progress.Running> running) {
    return run.estimate(
            TaskProfiles.NONE,
            RATES,
            new RemainingRun.ProgressView(
                workers, running, new EstimateCluster.Storage(1, 1 << 20)),
            7_000)
        .orElseThrow()
        .seconds();
  }

  @Test
  void declaredTimesCountUntilTheRunHasMeasuredSome() {
    RemainingRun run = new RemainingRun(PLAN, "run");
    assertThat(left(run, 1, List.of())).isCloseTo(80, within(0.1));
    assertThat(left(run, 2, List.of())).isCloseTo(40, within(0.1));
    run.add(ended("run:t0", TaskReport.Result.SUCCEEDED, 4_000));
    assertThat(left(run, 1, List.of())).isCloseTo(70, within(0.1));
    run.add(ended("run:t1", TaskReport.Result.SUCCEEDED, 4_000));
    run.add(ended("run:t2", TaskReport.Result.SUCCEEDED, 5_000));
    assertThat(left(run, 1, List.of())).isCloseTo(20, within(0.1));
  }

  @Test
  void otherRunsAndFailuresAreIgnored() {
    RemainingRun run = new RemainingRun(PLAN, "run");
    run.add(ended("other:t0", TaskReport.Result.SUCCEEDED, 4_000));
    run.add(ended("run:t0", TaskReport.Result.FAILED, 4_000));
    assertThat(left(run, 1, List.of())).isCloseTo(80, within(0.1));
    run.add(new DispatchRecord.TakenOver("run:t3", "old", true, List.of()));
    assertThat(left(run, 1, List.of())).isCloseTo(70, within(0.1));
  }

  @Test
  void runningTasksHaveLessLeft() {
    Progress.Running running = new Progress.Running("t0", 1, "w1", "n1", 1_000);
    assertThat(left(new RemainingRun(PLAN, "run"), 1, List.of(running))).isCloseTo(74, within(0.1));
  }

  @Test
  void runWithoutWorkersIsNotEstimated() {
    assertThat(
            new RemainingRun(PLAN, "run")
                .estimate(
                    TaskProfiles.NONE,
                    RATES,
                    new RemainingRun.ProgressView(
                        0, List.of(), new EstimateCluster.Storage(1, 1 << 20)),
                    0))
        .isEmpty();
  }
}

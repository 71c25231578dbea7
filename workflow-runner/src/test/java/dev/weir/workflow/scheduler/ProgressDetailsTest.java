package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.fan;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The details of a run's progress. */
class ProgressDetailsTest extends SteeringFixture {

  @Test
  void detailsCountTasksByType() {
    Dispatcher dispatcher = begun(fan(4), ONE_TRY, TWO_AHEAD);
    List<Effect.Start> started = starts(effects(dispatcher.workerJoined(W1, now)));
    now = 2_000;
    succeed(dispatcher, started.get(0));

    Progress.Details details = dispatcher.details("");

    assertThat(details.types())
        .singleElement()
        .satisfies(
            type -> {
              assertThat(type.done()).isEqualTo(1);
              assertThat(type.running()).isEqualTo(1);
              assertThat(type.waiting() + type.ready() + type.dropped()).isEqualTo(4);
            });
    assertThat(details.running())
        .containsExactly(new Progress.Running(started.get(1).task(), 1, "w1", "n1", 2_000));
  }

  @Test
  void tasksDoneByEarlierRunsAreNotRun() {
    Dispatcher dispatcher = Dispatchers.of(fan(1), AssignmentPolicy.DATA_AWARE, ONE_TRY);
    dispatcher.replay(
        new DispatchRecord.TakenOver(
            "t0", "earlier", true, List.of(new StoredFile("f0", 9, Map.of("n2", 9L)))));
    effects(dispatcher.start(now));

    assertThat(start(effects(dispatcher.workerJoined(W1, now))).task()).isEqualTo("next");
    assertThat(dispatcher.details("").reused()).isEqualTo(1);
    assertThat(dispatcher.progress().done()).isEqualTo(1);
  }

  @Test
  void theFirstLineOfAFailureIsShown() {
    Dispatcher dispatcher = begun(fan(1), new Limits(3, 3), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    effects(dispatcher.reported("w1", Reports.failed(t0, 7), now));

    assertThat(dispatcher.details("").failures())
        .containsExactly(new Progress.Failed("t0", 1, "n1", 7, "the end of stderr"));
  }

  @Test
  void theCauseIsShownBeforeTheOutput() {
    Dispatcher dispatcher = begun(fan(1), new Limits(3, 3), WorkerSize.ONE_TASK);
    Effect.Start t0 = start(effects(dispatcher.workerJoined(W1, now)));
    TaskReport full = Reports.nodeUnfit(t0);
    effects(dispatcher.reported("w1", full, now));

    assertThat(full.outputTail()).isNotBlank();
    assertThat(dispatcher.details("").failures())
        .containsExactly(
            new Progress.Failed("t0", 1, "n1", TaskReport.NO_EXIT_CODE, full.message()));
  }
}

package dev.weir.workflow.session;

import static dev.weir.workflow.controller.TestRun.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.WorkerUpkeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Worker events reach the code that requests containers. */
class WorkerEventsTest extends RunTestBase {

  @Test
  void joinsAndSuccessesAreReportedAndFailuresAreNot() throws Exception {
    List<String> reported = new ArrayList<>();
    WorkerUpkeep upkeep =
        new WorkerUpkeep() {
          @Override
          public @Nullable ResourceNeeds dedication(String worker) {
            return null;
          }

          @Override
          public void joined(String worker) {
            reported.add(worker + " joined");
          }

          @Override
          public void worked(String worker) {
            reported.add(worker + " worked");
          }

          @Override
          public void replace(String worker, String reason) {
            reported.add(worker + " " + reason);
          }
        };
    ConnectedWorkers present = new ConnectedWorkers();
    WorkerEvents events =
        new WorkerEvents(
            new TransferCoordinator(new TransferSlots(1)),
            run.controller,
            Map.of(),
            path -> List.of(TestRun.PLAN.fileId(path)),
            upkeep,
            Runnable::run,
            new AwaitedWorkers(),
            present);
    TaskOrder order =
        run.join(
                "w1",
                "n1",
                (worker, connection) ->
                    events.joined(worker.id(), worker.node(), "127.0.0.1", connection))
            .nextOrder();
    assertThat(present.size()).isEqualTo(1);

    events.received("w1", new Message.Ended(report(order, Result.RECALLED, 0)));
    events.received("w1", new Message.Ended(report(order, Result.SUCCEEDED, 0)));
    events.lost("w1", "its connection has ended");

    assertThat(present.size()).isZero();
    assertThat(reported).containsExactly("w1 joined", "w1 worked", "w1 its connection has ended");
  }
}

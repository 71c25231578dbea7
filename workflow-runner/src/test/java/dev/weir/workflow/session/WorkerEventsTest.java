package dev.weir.workflow.session;

import static dev.weir.workflow.controller.TestRun.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.WorkerUpkeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who looks after the workers hears how they fare. */
class WorkerEventsTest extends RunTestBase {

  @Test
  void thatAWorkerComesAndATaskIsDoneIsSaidAndThatOneFailsIsNot() throws Exception {
    List<String> heard = new ArrayList<>();
    WorkerUpkeep upkeep =
        new WorkerUpkeep() {
          @Override
          public void joined(String worker) {
            heard.add(worker + " joined");
          }

          @Override
          public void worked(String worker) {
            heard.add(worker + " worked");
          }

          @Override
          public void giveUp(String worker, String reason) {
            heard.add(worker + " " + reason);
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
    events.left("w1", "its connection has ended");

    assertThat(present.size()).isZero();
    assertThat(heard).containsExactly("w1 joined", "w1 worked", "w1 its connection has ended");
  }
}

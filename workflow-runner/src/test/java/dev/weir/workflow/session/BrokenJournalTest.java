package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.controller.GraphEvents;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalTestBase;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.run.RunOrders;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Runs whose journal cannot be written. */
class BrokenJournalTest extends JournalTestBase {

  /** Local files that throw OutOfMemoryError when they are created. */
  private static final class OutOfMemoryFiles extends CreateHookFileSystem {
    @Override
    public FSDataOutputStream created(Path file, Creation plain) {
      throw new OutOfMemoryError("on purpose");
    }
  }

  @Test
  void runEndsWithoutItsJournal() throws IOException {
    ExecutorService loop = Executors.newSingleThreadExecutor();
    try (Journal journal =
        new Journal(
            opened(new OutOfMemoryFiles()), directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      SessionController controller = controller(journal, loop);

      var unused = controller.submit(() -> new Step(List.of(lost("fa")), List.of()));

      assertThatThrownBy(() -> controller.outcome().get(1, TimeUnit.MINUTES))
          .hasRootCauseMessage("on purpose")
          .satisfies(end -> assertThat(MasterMemory.exitCode(end)).isEqualTo(3));
    } finally {
      loop.shutdownNow();
    }
  }

  private static final GraphEvents NO_GRAPHS =
      new GraphEvents() {
        @Override
        public RunFiles files(String graph) {
          return new TestRun.Files();
        }

        @Override
        public void answer(Effect.Answer answer) {}

        @Override
        public void ended(String graph, Optional<RunFailure> failure) {}
      };

  private static SessionController controller(Journal journal, ExecutorService loop) {
    RunOrders orders = Plans.orders(TestRun.PLAN, "run-1");
    return new SessionController(
        Dispatchers.of(TestRun.PLAN.workflow(), AssignmentPolicy.FIFO, new Limits(1, 10)),
        new SessionController.Collaborators(
            orders, journal, new RunRecorder(1, orders::task), NO_GRAPHS),
        new MutableClock(Instant.ofEpochMilli(1)),
        new SessionController.Threads(loop, Runnable::run));
  }
}

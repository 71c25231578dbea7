package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that read regions go to the nodes with these regions, and joined files are made again when
 * needed.
 */
class RegionDispatchTest {
  private static TaskReport done(Effect.Start start, StoredFile... outputs) {
    return new TaskReport(
        start.task(),
        start.attempt(),
        Result.SUCCEEDED,
        0,
        "",
        "",
        List.of(),
        List.of(outputs),
        Usage.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g"})
  void eachReaderGoesToTheNodeWithItsRegion(String graph) {
    List<Task> tasks = new ArrayList<>();
    tasks.add(Graphs.task("make", List.of(), List.of("x")));
    for (int i = 0; i < 4; i++) {
      String region = new FileRegion("x", i * 10L, 10).id();
      tasks.add(Graphs.task("read" + i, List.of(region), List.of()));
    }
    Workflow workflow = new Workflow("w", tasks, Map.of("x", new DataFile("x", 40)));
    Dispatcher dispatcher =
        graph.isEmpty()
            ? Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, Limits.DEFAULT)
            : Dispatchers.of(AssignmentPolicy.DATA_AWARE, Limits.DEFAULT, WorkerSize.ONE_TASK);
    dispatcher.start(0);
    if (!graph.isEmpty()) {
      dispatcher.addGraph(Graph.of(graph, workflow, Limits.DEFAULT), List.of(), 0);
    }
    Effect.Start make = null;
    for (int i = 0; i < 4; i++) {
      for (Effect.Start start : starts(dispatcher.workerJoined(worker(i), 0))) {
        make = start;
      }
    }
    assertThat(make).isNotNull();
    // Blocks of 5 bytes: those of region 0 are on n3, of 1 on n2, of 2 on n1, of 3 on n0.
    List<BlockExtent> extents = new ArrayList<>();
    for (int block = 0; block < 8; block++) {
      extents.add(new BlockExtent(block * 5L, 5, List.of("n" + (3 - block / 2))));
    }
    Map<String, Long> places = Map.of("n0", 10L, "n1", 10L, "n2", 10L, "n3", 10L);

    String file = ScopedId.of(graph, "x");
    StoredFile stored = new StoredFile(file, 40, places, Checksum.UNKNOWN, extents);
    Step step = dispatcher.reported(make.worker(), done(make, stored), 1);

    assertThat(starts(step))
        .extracting(start -> ScopedId.id(start.task()) + " on " + start.worker())
        .containsExactlyInAnyOrder("read0 on w3", "read1 on w2", "read2 on w1", "read3 on w0");
  }

  private static WorkerInfo worker(int number) {
    return new WorkerInfo("w" + number, "n" + number, "/rack");
  }

  @Test
  void aLostJoinedFileIsWrittenAgainInRegions() {
    Workflow workflow =
        new Workflow(
            "w",
            List.of(
                Graphs.task("a", List.of(), List.of("x@0+4")),
                Graphs.task("b", List.of(), List.of("x@4+4")),
                Graphs.task("read", List.of("x"), List.of("r"))),
            Map.of("r", new DataFile("r", 1)));
    Dispatcher dispatcher = Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, Limits.DEFAULT);
    dispatcher.start(0);
    List<String> ran = new ArrayList<>();
    List<Effect.Start> open = new ArrayList<>(starts(dispatcher.workerJoined(worker(0), 0)));
    boolean lostOnce = false;
    boolean regionsMissing = false;
    while (!open.isEmpty()) {
      Effect.Start start = open.remove(0);
      ran.add(start.task());
      TaskReport report = Reports.succeeded(start, "n0", 4);
      if (start.task().equals("read") && !lostOnce) {
        lostOnce = true;
        regionsMissing = true;
        report = Reports.inputLost(start, "x");
      } else if (start.task().equals("join-x") && regionsMissing) {
        // They were deleted after the first join.
        regionsMissing = false;
        report = Reports.inputLost(start, "x@0+4", "x@4+4");
      }
      open.addAll(starts(dispatcher.reported(start.worker(), report, 1)));
    }
    assertThat(ran)
        .containsExactly("a", "b", "join-x", "read", "join-x", "a", "b", "join-x", "read");
    assertThat(dispatcher.progress().done()).isEqualTo(4);
  }
}

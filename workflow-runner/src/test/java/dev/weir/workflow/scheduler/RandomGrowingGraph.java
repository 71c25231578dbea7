package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.addition;
import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GivenUp;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A graph that grows with two workers of two cores, determined by a seed. Tasks are added in random
 * order, fail and are cancelled, and new dispatchers continue from the journal.
 */
final class RandomGrowingGraph {

  private final Random random;
  private final int seed;
  private final List<DispatchRecord> journal = new ArrayList<>();
  private final Map<String, Effect.Start> running = new HashMap<>();
  private final Set<String> added = new HashSet<>();
  private final List<String> made = new ArrayList<>();
  private Dispatcher growing = newDispatcher();
  private long now = 1;

  RandomGrowingGraph(int seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  private static Dispatcher newDispatcher() {
    return Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(3, 4), new WorkerSize(2, 100, 1));
  }

  void run() {
    join();
    for (int i = 0; i < 60; i++) {
      now++;
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> add("t" + i);
        case 3 -> cancelOne();
        case 4 -> restart(i);
        default -> endOne();
      }
    }
    while (!running.isEmpty()) {
      endOne();
    }
    Map<String, String> ends = ends();
    assertThat(ends.keySet()).as("seed %s", seed).isEqualTo(added);
    assertThat(growing.workerDemand().wantedWorkers()).as("seed %s", seed).isZero();
  }

  private void join() {
    handle(growing.start(now));
    handle(growing.workerJoined(new WorkerInfo("a" + now, "n1", "/r"), now));
    handle(growing.workerJoined(new WorkerInfo("b" + now, "n2", "/r"), now));
  }

  private void handle(Step step) {
    journal.addAll(step.records());
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        assertThat(running.put(start.task(), start)).as("seed %s", seed).isNull();
      } else if (effect instanceof Effect.Recall recall) {
        Effect.Start back = running.remove(recall.task());
        if (back != null) {
          handle(growing.reported(recall.worker(), Reports.recalled(back), now));
        }
      }
    }
  }

  private void add(String id) {
    List<String> inputs = new ArrayList<>();
    if (!made.isEmpty()) {
      inputs.add(made.get(random.nextInt(made.size())));
    }
    String output = "f" + random.nextInt(20);
    inputs.remove(output);
    Map<String, Map<String, Long>> places = new HashMap<>();
    inputs.forEach(file -> places.put(file, Map.of("n1", 5L)));
    JobAddition addition =
        addition(
            task(id, inputs, List.of(output)), places, 1 + random.nextInt(2), random.nextInt(2));
    if (growing.refusal(addition).isEmpty()) {
      added.add(id);
      made.add(output);
      handle(growing.add(addition, now));
    }
  }

  private void cancelOne() {
    List<String> ids = added.stream().sorted().toList();
    if (!ids.isEmpty()) {
      handle(growing.cancel(ids.get(random.nextInt(ids.size())), now));
    }
  }

  private void endOne() {
    List<Effect.Start> starts =
        running.values().stream().sorted((a, b) -> a.task().compareTo(b.task())).toList();
    if (!starts.isEmpty()) {
      Effect.Start start = starts.get(random.nextInt(starts.size()));
      running.remove(start.task());
      TaskReport report =
          random.nextInt(4) == 0
              ? Reports.failed(start, 1)
              : Reports.succeeded(start, "n" + (1 + random.nextInt(2)), 5);
      handle(growing.reported(start.worker(), report, now));
    }
  }

  /** The journal as a second ApplicationMaster reads it; sometimes some tasks are forgotten. */
  private void restart(int step) {
    if (step % 2 == 0) {
      growing.forget(ends().keySet());
      return;
    }
    running.clear();
    growing = newDispatcher();
    List.copyOf(journal).forEach(growing::replay);
    join();
  }

  /** How each task ended; one that was cancelled too late may have succeeded after it. */
  private Map<String, String> ends() {
    Map<String, String> ends = new HashMap<>();
    for (DispatchRecord record : journal) {
      if (record instanceof GivenUp givenUp) {
        ends.put(givenUp.task(), "given up");
      } else if (record instanceof DispatchRecord.AttemptEnded ended
          && ended.report().result() == TaskReport.Result.SUCCEEDED) {
        ends.put(ended.report().task(), "succeeded");
      }
    }
    return ends;
  }
}

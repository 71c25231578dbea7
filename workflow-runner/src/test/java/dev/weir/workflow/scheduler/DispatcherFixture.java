package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Workers, limits and a journal for tests of dispatchers. */
public abstract class DispatcherFixture {

  public static final WorkerInfo ON_N1 = new WorkerInfo("w1", "n1", "/r");
  public static final WorkerInfo ON_N2 = new WorkerInfo("w2", "n2", "/r");
  static final Limits LIMITS = new Limits(3, 4);

  final List<DispatchRecord> journal = new ArrayList<>();
  long now = 1_000;

  /** A chain of which all tasks were done by w1 on n1. */
  Dispatcher finished(Limits limits) {
    Dispatcher dispatcher = Dispatchers.of(Graphs.chain(), AssignmentPolicy.FIFO, limits);
    dispatcher.start(now);
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    Effect.Start c = start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 9), now));
    effects(dispatcher.reported("w1", Reports.succeeded(c, "n1", 9), now));
    return dispatcher;
  }

  /**
   * A dispatcher of a chain whose files may stay on nodes.
   *
   * @param temporaries the files that the run deletes
   */
  static Dispatcher onNodes(Set<String> temporaries) {
    return onNodes(temporaries, LIMITS);
  }

  static Dispatcher onNodes(Set<String> temporaries, Limits limits) {
    return onNodes(Graphs.chain(), temporaries, limits);
  }

  /** A run of a chain whose files may all stay on their nodes. */
  static Dispatcher onNodes(Workflow chain, Set<String> temporaries, Limits limits) {
    Graph graph =
        new Graph(
            "",
            chain,
            limits,
            0,
            false,
            TaskProfiles.NONE,
            temporaries,
            Set.of(),
            List.of(),
            Set.of("fa", "fb", "fc"));
    return new Dispatcher(AssignmentPolicy.DATA_AWARE, WorkerSize.ONE_TASK, graph);
  }

  List<Effect> effects(Step step) {
    now++;
    journal.addAll(step.records());
    return step.effects();
  }

  Effect.Start start(Step step) {
    List<Effect> effects =
        effects(step).stream().filter(effect -> !(effect instanceof Effect.Discard)).toList();
    assertThat(effects).hasSize(1).hasOnlyElementsOfType(Effect.Start.class);
    return (Effect.Start) effects.get(0);
  }
}

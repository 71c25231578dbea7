package dev.weir.workflow.dispatch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs random workflows on workers that fail, vanish with their node's files, and report late or
 * twice. The world below knows what really exists; the dispatcher must bring every run to its end
 * by what it is told alone.
 */
class DispatcherSimulationTest {
  private static final int RUNS = 400;
  private static final int MOST_EVENTS = 20_000;

  @ParameterizedTest
  @EnumSource(Policy.class)
  void everyRunEndsWithEveryOutputMade(Policy policy) {
    for (long seed = 0; seed < RUNS; seed++) {
      new World(seed, policy).run();
    }
  }

  /** HDFS, the workers, and an unkind fate with a seed. */
  private static final class World {
    private final String name;
    private final Random random;
    private final Workflow workflow;
    private final Map<String, Task> tasks = new LinkedHashMap<>();
    private final Dispatcher dispatcher;
    private final Map<String, String> nodeOfFile = new LinkedHashMap<>();
    private final Map<String, Effect.Start> running = new LinkedHashMap<>();
    private final Set<String> attempts = new HashSet<>();
    private final List<DispatchRecord> journal = new ArrayList<>();
    private final List<TaskReport> said = new ArrayList<>();
    private final Map<String, String> nodeOfWorker = new LinkedHashMap<>();
    private int workers;
    private int mishaps = 12;
    private boolean succeeded;

    World(long seed, Policy policy) {
      name = policy + " with seed " + seed;
      random = new Random(seed);
      workflow = Graphs.random(random);
      workflow.tasks().forEach(task -> tasks.put(task.id(), task));
      dispatcher = new Dispatcher(workflow, policy, new Limits(100, 100));
    }

    void run() {
      apply(dispatcher.start(0));
      join();
      join();
      for (int event = 0; !succeeded; event++) {
        assertThat(event).as("events of %s", name).isLessThan(MOST_EVENTS);
        happen(event);
      }
      for (Task task : workflow.tasks()) {
        assertThat(nodeOfFile.keySet()).as(name).containsAll(finals(task));
      }
      replayAgrees();
    }

    private void happen(int now) {
      if (nodeOfWorker.isEmpty() || (random.nextInt(10) == 0 && nodeOfWorker.size() < 5)) {
        join();
      } else if (mishaps > 0 && random.nextInt(8) == 0) {
        mishaps--;
        mishap(now);
      } else if (!running.isEmpty()) {
        end(pick(new ArrayList<>(running.keySet())), now);
      }
    }

    private void join() {
      String id = "w" + ++workers;
      String node = "n" + (1 + random.nextInt(4));
      nodeOfWorker.put(id, node);
      apply(dispatcher.workerJoined(new WorkerInfo(id, node, "/r"), workers));
    }

    private void mishap(int now) {
      String worker = pick(new ArrayList<>(nodeOfWorker.keySet()));
      switch (random.nextInt(3)) {
        case 0 -> lose(worker, now);
        case 1 -> {
          String node = requireNonNull(nodeOfWorker.get(worker));
          // A result has more replicas than one; what is read on has not.
          nodeOfFile
              .entrySet()
              .removeIf(file -> node.equals(file.getValue()) && consumers(file.getKey()) > 0);
          new ArrayList<>(nodeOfWorker.keySet())
              .stream()
                  .filter(other -> node.equals(nodeOfWorker.get(other)))
                  .forEach(other -> lose(other, now));
        }
        default -> {
          if (!said.isEmpty()) {
            apply(dispatcher.reported(worker, pick(said), now));
          }
        }
      }
    }

    private void lose(String worker, int now) {
      nodeOfWorker.remove(worker);
      running.remove(worker);
      apply(dispatcher.workerLost(worker, "lost on purpose", now));
    }

    private void end(String worker, int now) {
      Effect.Start start = requireNonNull(running.remove(worker));
      String node = requireNonNull(nodeOfWorker.get(worker));
      String[] lost =
          task(start).inputs().stream()
              .filter(file -> !file.startsWith("in") && !nodeOfFile.containsKey(file))
              .toArray(String[]::new);
      TaskReport report;
      if (lost.length > 0) {
        report = Reports.inputLost(start, lost);
      } else if (mishaps > 0 && random.nextInt(6) == 0) {
        mishaps--;
        report = Reports.failed(start, 1);
      } else {
        start.outputs().forEach(file -> nodeOfFile.put(file, node));
        report = Reports.succeeded(start, node, 10);
      }
      said.add(report);
      apply(dispatcher.reported(worker, report, now));
    }

    private void apply(Step step) {
      journal.addAll(step.records());
      for (Effect effect : step.effects()) {
        if (effect instanceof Effect.Start start) {
          assertThat(attempts.add(start.task() + "#" + start.attempt()))
              .as("%s: attempt %s is new", name, start)
              .isTrue();
          assertThat(running.values())
              .as("%s: a task runs once at a time", name)
              .noneMatch(other -> other.task().equals(start.task()));
          assertThat(nodeOfWorker).as(name).containsKey(start.worker());
          assertThat(running.put(start.worker(), start)).as("%s: one task a worker", name).isNull();
        } else if (effect instanceof Effect.Succeeded) {
          succeeded = true;
        } else {
          throw new AssertionError(name + ": " + effect);
        }
      }
    }

    /** What the journal says is what happened: a second dispatcher finds nothing left to do. */
    private void replayAgrees() {
      Dispatcher second = new Dispatcher(workflow, Policy.FIFO, new Limits(100, 100));
      journal.forEach(second::replay);
      assertThat(second.start(0).effects()).as(name).containsExactly(new Effect.Succeeded());
    }

    private Task task(Effect.Start start) {
      return requireNonNull(tasks.get(start.task()));
    }

    private List<String> finals(Task task) {
      return task.outputs().stream().filter(file -> consumers(file) == 0).toList();
    }

    private long consumers(String file) {
      return workflow.tasks().stream().filter(task -> task.inputs().contains(file)).count();
    }

    private <T> T pick(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }
  }
}

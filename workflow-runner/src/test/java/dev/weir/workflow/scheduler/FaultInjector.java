package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Injects faults into a simulated run: losses of workers, nodes and files, repeated reports,
 * requests of users and replacements of the dispatcher.
 */
final class FaultInjector {

  /** Maximum number of faults, so that a run can end. */
  private static final int MAX_FAULTS = 13;

  private final DispatchSimulation cluster;
  private final Random random;
  private final Map<String, Steering> steeringRequests = new LinkedHashMap<>();
  private int faults;

  FaultInjector(DispatchSimulation cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** How many requests there were. */
  int steeringRequests() {
    return steeringRequests.size();
  }

  /** Schedules a fault, which schedules the next. */
  void begin() {
    cluster.later(
        1 + random.nextInt(cluster.stragglers ? 9_000 : 60),
        () -> {
          faults++;
          switch (random.nextInt(7)) {
            case 5 -> change(Action.PAUSE, Action.RESUME);
            case 6 -> interfere();
            case 0 -> loseWorker();
            case 1 -> loseNode();
            case 2 -> loseFile();
            case 3 -> repeatReport();
            default -> loseDispatcher();
          }
          if (faults < MAX_FAULTS) {
            begin();
          }
        });
  }

  private void interfere() {
    if (random.nextInt(3) == 0) {
      change(Action.CANCEL, Action.RETRY);
    } else {
      request(new Steering(Action.PRIORITISE, someTasks(), random.nextInt(5) - 2));
    }
  }

  /** A pattern for some tasks or one task; never the empty pattern, which means the whole run. */
  private String someTasks() {
    String number = Integer.toString(random.nextInt(cluster.workflow.tasks().size()));
    return "t" + (random.nextBoolean() ? number : number.charAt(0) + "*");
  }

  /** Makes a request, and later one that undoes it. */
  private void change(Action what, Action back) {
    String tasks = what == Action.PAUSE && random.nextBoolean() ? "" : someTasks();
    request(Steering.of(what, tasks));
    cluster.later(1 + random.nextInt(40), () -> request(Steering.of(back, tasks)));
  }

  private void request(Steering request) {
    String id = "request" + steeringRequests.size();
    steeringRequests.put(id, request);
    if (!cluster.over) {
      cluster.apply(cluster.dispatcher.steer("", id, request, cluster.now));
    }
  }

  private void loseWorker() {
    if (!cluster.workers.isEmpty()) {
      SimulatedWorker worker = any();
      cluster.workers.remove(worker.info.id());
      cluster.joinLater(worker.info.node());
      cluster.apply(cluster.dispatcher.workerLost(worker.info.id(), "killed", cluster.now));
    }
  }

  private SimulatedWorker any() {
    return new ArrayList<>(cluster.workers.values()).get(random.nextInt(cluster.workers.size()));
  }

  private void loseNode() {
    String node = "n" + random.nextInt(cluster.nodes);
    cluster.disk.forEach(
        (file, places) -> {
          if (!cluster.safe.contains(file)) {
            places.remove(node);
          }
        });
    for (SimulatedWorker worker : List.copyOf(cluster.workers.values())) {
      if (worker.info.node().equals(node)) {
        cluster.workers.remove(worker.info.id());
        cluster.apply(cluster.dispatcher.workerLost(worker.info.id(), "node lost", cluster.now));
      }
    }
    cluster.joinLater(node);
  }

  private void loseFile() {
    List<String> candidates =
        cluster.disk.keySet().stream().filter(f -> !cluster.safe.contains(f)).sorted().toList();
    if (!candidates.isEmpty()) {
      cluster.disk.remove(candidates.get(random.nextInt(candidates.size())));
    }
  }

  /** Sends an old report again, from any worker. */
  private void repeatReport() {
    if (!cluster.reports.isEmpty() && !cluster.workers.isEmpty()) {
      TaskReport old = cluster.reports.get(random.nextInt(cluster.reports.size()));
      SimulatedWorker sender = any();
      Effect.Start current = sender.attempts.get(old.task());
      if (current == null || current.attempt() != old.attempt()) {
        Step step = cluster.dispatcher.reported(sender.info.id(), old, cluster.now);
        assertThat(step.records()).as("taken seriously").isEmpty();
        // The delay of a task may have ended meanwhile.
        cluster.apply(step);
      }
    }
  }

  /** Starts a new dispatcher from the journal; the workers of the old one are lost. */
  private void loseDispatcher() {
    List<String> homes =
        cluster.workers.values().stream().map(worker -> worker.info.node()).toList();
    cluster.workers.clear();
    // The last records of the journal may not be on disk.
    for (int lost = random.nextInt(3);
        lost > 0 && cluster.journal.size() > cluster.written;
        lost--) {
      cluster.journal.remove(cluster.journal.size() - 1);
    }
    cluster.dispatcher = cluster.newDispatcher();
    cluster.journal.forEach(cluster.dispatcher::replay);
    steeringRequests.forEach(
        (id, request) -> cluster.apply(cluster.dispatcher.steer("", id, request, cluster.now)));
    cluster.apply(cluster.dispatcher.start(cluster.now));
    homes.forEach(cluster::joinLater);
  }
}

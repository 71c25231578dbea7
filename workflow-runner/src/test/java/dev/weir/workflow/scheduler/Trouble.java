package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.Steering.Action;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What befalls a simulated run: workers, nodes and files are lost, reports come twice, people
 * pause, cancel and change their minds, and a new dispatcher takes the place of the old one.
 */
final class Trouble {

  /** So often trouble comes at most, and then it ends, so that a run can. */
  private static final int TROUBLES = 13;

  private final DispatchSimulation cluster;
  private final Random random;
  private final Map<String, Steering> steeringRequests = new LinkedHashMap<>();
  private int troubles;

  Trouble(DispatchSimulation cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** How many wishes there were. */
  int steeringRequests() {
    return steeringRequests.size();
  }

  /** Brings the first trouble, which brings the next. */
  void begin() {
    cluster.later(
        1 + random.nextInt(cluster.stragglers ? 9_000 : 60),
        () -> {
          troubles++;
          switch (random.nextInt(7)) {
            case 5 -> change(Action.PAUSE, Action.RESUME);
            case 6 -> interfere();
            case 0 -> loseWorker();
            case 1 -> loseNode();
            case 2 -> loseFile();
            case 3 -> repeatReport();
            default -> loseDispatcher();
          }
          if (troubles < TROUBLES) {
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

  /** Some tasks, or just one; never all of them by the empty pattern. */
  private String someTasks() {
    String number = Integer.toString(random.nextInt(cluster.workflow.tasks().size()));
    return "t" + (random.nextBoolean() ? number : number.charAt(0) + "*");
  }

  /** Somebody wants something and later the contrary. */
  private void change(Action what, Action back) {
    String tasks = what == Action.PAUSE && random.nextBoolean() ? "" : someTasks();
    request(Steering.of(what, tasks));
    cluster.later(1 + random.nextInt(40), () -> request(Steering.of(back, tasks)));
  }

  private void request(Steering request) {
    String id = "wish" + steeringRequests.size();
    steeringRequests.put(id, request);
    if (!cluster.over) {
      cluster.apply(cluster.dispatcher.steer("", id, request, cluster.now));
    }
  }

  private void loseWorker() {
    if (!cluster.workers.isEmpty()) {
      Live worker = any();
      cluster.workers.remove(worker.info.id());
      cluster.joinLater(worker.info.node());
      cluster.apply(cluster.dispatcher.workerLost(worker.info.id(), "killed", cluster.now));
    }
  }

  private Live any() {
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
    for (Live worker : List.copyOf(cluster.workers.values())) {
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

  /** A report that was true once comes again, from whomever. */
  private void repeatReport() {
    if (!cluster.reports.isEmpty() && !cluster.workers.isEmpty()) {
      TaskReport old = cluster.reports.get(random.nextInt(cluster.reports.size()));
      Live sender = any();
      Effect.Start current = sender.hand.get(old.task());
      if (current == null || current.attempt() != old.attempt()) {
        Step step = cluster.dispatcher.reported(sender.info.id(), old, cluster.now);
        assertThat(step.records()).as("taken seriously").isEmpty();
        // A task may have rested for long enough meanwhile.
        cluster.apply(step);
      }
    }
  }

  /** A new one knows the journal; the workers of the old one go with it. */
  private void loseDispatcher() {
    List<String> homes =
        cluster.workers.values().stream().map(worker -> worker.info.node()).toList();
    cluster.workers.clear();
    // The journal's last records may not have made it to the disk.
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

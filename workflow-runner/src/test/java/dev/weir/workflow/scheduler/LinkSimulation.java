package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * A run on nodes whose links are shared fairly, in steps of a twentieth of a second. Each node has
 * one worker of one core, outputs have one local replica, and caches keep files that several tasks
 * read.
 */
final class LinkSimulation {

  private static final double STEP = 0.05;
  private static final double BYTES_PER_SECOND = 100e6;
  private static final double LONGEST = 100_000;

  private final Workflow workflow;
  private final Dispatcher dispatcher;
  private final Map<String, Long> sizes = new HashMap<>();

  /** Nodes that have a file in HDFS; those that have it in their caches. */
  private final Map<String, Set<String>> stored = new HashMap<>();

  private final Map<String, Set<String>> kept = new HashMap<>();
  private final Map<String, Attempt> attempts = new LinkedHashMap<>();
  private final Map<String, Integer> readers = new HashMap<>();
  private double now;
  private boolean over;

  private static final class Transfer {
    final String file;
    final String from;
    final String to;
    double left;
    double seconds;

    Transfer(String file, String from, String to, double left) {
      this.file = file;
      this.from = from;
      this.to = to;
      this.left = left;
    }

    boolean moves() {
      return left > 0;
    }
  }

  /** A task of a worker. */
  private final class Attempt {
    final Effect.Start start;
    final String node;
    final Task task;
    final List<Transfer> transfers = new ArrayList<>();
    final double takes;
    double runs;
    boolean began;

    Attempt(Effect.Start start) {
      this.start = start;
      this.node = start.worker();
      this.task = workflow.graph().task(start.task());
      // Between half and twice the declared time.
      this.runs =
          task.runtimeSeconds()
              * Math.pow(2, 2 * new Random(task.id().hashCode()).nextDouble() - 1);
      this.takes = runs;
      for (String input : task.inputs()) {
        bring(input);
      }
    }

    private void bring(String input) {
      if (!has(node, input)) {
        String from = of(stored, input).iterator().next();
        transfers.add(new Transfer(input, from, node, of(sizes, input)));
      }
    }

    boolean ready() {
      return transfers.stream().allMatch(t -> t.left <= 0);
    }

    Usage usage() {
      long bytes = 0;
      double seconds = 0;
      for (Transfer transfer : transfers) {
        bytes += of(sizes, transfer.file);
        seconds = Math.max(seconds, transfer.seconds);
      }
      return new Usage(
          0, Math.round(seconds * 1_000), Math.round(takes * 1_000), 0, 0, bytes, 0, 0);
    }
  }

  LinkSimulation(Workflow workflow, int nodes, int replicas) {
    this(workflow, nodes, replicas, true);
  }

  /**
   * A run.
   *
   * @param replicas how many nodes have each input of the workflow
   * @param waits whether ready tasks may wait for busy workers
   */
  LinkSimulation(Workflow workflow, int nodes, int replicas, boolean waits) {
    this(workflow, Map.of(), nodes, AssignmentPolicy.DATA_AWARE, replicas, waits);
  }

  /** A run of a workflow whose declared sizes are wrong; real ones replace them. */
  LinkSimulation(
      Workflow workflow, Map<String, Long> realSizes, int nodes, AssignmentPolicy policy) {
    this(workflow, realSizes, nodes, policy, 1, true);
  }

  private LinkSimulation(
      Workflow workflow,
      Map<String, Long> realSizes,
      int nodes,
      AssignmentPolicy policy,
      int replicas,
      boolean waits) {
    this.workflow = workflow;
    WorkerSize size = new WorkerSize(1, Long.MAX_VALUE, WorkerSize.AHEAD);
    this.dispatcher = new Dispatcher(policy, size, Graph.of("", workflow, Limits.DEFAULT), waits);
    workflow.files().values().forEach(file -> sizes.put(file.id(), file.sizeBytes()));
    sizes.putAll(realSizes);
    workflow.tasks().forEach(t -> t.inputs().forEach(in -> readers.merge(in, 1, Integer::sum)));
    int next = 0;
    for (var input : workflow.graph().workflowInputs()) {
      Map<String, Long> places = new HashMap<>();
      for (int replica = 0; replica < replicas; replica++) {
        places.put("n" + (next + replica) % nodes, input.sizeBytes());
      }
      next++;
      stored.put(input.id(), places.keySet());
      dispatcher.locate(input.id(), places);
    }
    dispatcher.expect(nodes);
    apply(dispatcher.start(0));
    for (int node = 0; node < nodes; node++) {
      apply(dispatcher.workerJoined(new WorkerInfo("n" + node, "n" + node, "/r"), 0));
    }
  }

  /** The seconds that the run takes. */
  double run() {
    long ticks = 0;
    while (!over) {
      now += STEP;
      if (now > LONGEST) {
        throw new AssertionError("no end; attempts: " + attempts.keySet());
      }
      move();
      compute();
      if (now >= ticks + 1) {
        ticks++;
        apply(dispatcher.tick(millis()));
      }
    }
    return now;
  }

  private long millis() {
    return Math.round(now * 1_000);
  }

  private boolean has(String node, String file) {
    return stored.getOrDefault(file, Set.of()).contains(node)
        || kept.getOrDefault(file, Set.of()).contains(node);
  }

  private void move() {
    List<Transfer> moving = new ArrayList<>();
    attempts
        .values()
        .forEach(a -> a.transfers.stream().filter(Transfer::moves).forEach(moving::add));
    Map<String, Integer> out = new HashMap<>();
    Map<String, Integer> in = new HashMap<>();
    moving.forEach(t -> out.merge(t.from, 1, Integer::sum));
    moving.forEach(t -> in.merge(t.to, 1, Integer::sum));
    for (Transfer transfer : moving) {
      int share = Math.max(of(out, transfer.from), of(in, transfer.to));
      transfer.left -= BYTES_PER_SECOND / share * STEP;
      transfer.seconds += STEP;
      if (transfer.left <= 0 && of(readers, transfer.file) > 1) {
        keep(transfer);
      }
    }
  }

  private void keep(Transfer transfer) {
    kept.computeIfAbsent(transfer.file, f -> new HashSet<>()).add(transfer.to);
    apply(
        dispatcher.cached(
            transfer.to, Map.of(transfer.file, of(sizes, transfer.file)), List.of(), millis()));
  }

  private void compute() {
    Set<String> busy = new HashSet<>();
    for (Attempt attempt : List.copyOf(attempts.values())) {
      // In the order of the assignments.
      if (!busy.add(attempt.node) || (!attempt.began && !attempt.ready())) {
        continue;
      }
      attempt.began = true;
      attempt.runs -= STEP;
      if (attempt.runs <= 0) {
        end(attempt);
      }
    }
  }

  private void end(Attempt attempt) {
    attempts.remove(attempt.start.task());
    List<StoredFile> outputs = new ArrayList<>();
    for (String output : attempt.start.outputs()) {
      stored.put(output, Set.of(attempt.node));
      outputs.add(
          new StoredFile(output, of(sizes, output), Map.of(attempt.node, of(sizes, output))));
    }
    apply(
        dispatcher.reported(
            attempt.node,
            new TaskReport(
                attempt.start.task(),
                attempt.start.attempt(),
                TaskReport.Result.SUCCEEDED,
                0,
                "",
                "",
                List.of(),
                outputs,
                attempt.usage()),
            millis()));
  }

  private void apply(Step step) {
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        attempts.put(start.task(), new Attempt(start));
      } else if (effect instanceof Effect.Recall recall) {
        recall(recall);
      } else if (effect instanceof Effect.Check) {
        apply(dispatcher.checked("", List.of(), millis()));
      } else if (effect instanceof Effect.Succeeded) {
        over = true;
      } else {
        throw new AssertionError("unexpected: " + effect);
      }
    }
  }

  private void recall(Effect.Recall recall) {
    Attempt attempt = attempts.get(recall.task());
    if (attempt == null || attempt.start.attempt() != recall.attempt()) {
      return;
    }
    if (attempt.began) {
      apply(dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), millis()));
    } else {
      attempts.remove(recall.task());
      apply(
          dispatcher.reported(
              recall.worker(), TaskReport.recalled(recall.task(), recall.attempt()), millis()));
    }
  }

  private static <K, V> V of(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key), () -> "nothing of " + key);
  }
}

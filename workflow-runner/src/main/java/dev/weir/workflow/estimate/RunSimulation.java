package dev.weir.workflow.estimate;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * A run of the real dispatcher on simulated workers. Time is simulated: it jumps from event to
 * event. Inputs and replicas share the nodes' links, and commands take known times. Attempts do not
 * fail. The same arguments give the same result. Not thread-safe; for one use.
 */
final class RunSimulation {

  /** Transfers that an attempt makes at a time. */
  private static final int SIDE_BY_SIDE = 8;

  /** Time until HDFS begins to make replicas after a write, by its redundancy interval. */
  private static final double REPLICATION_SECONDS = 3;

  private static final double MILLIS = 1_000;

  /** Ticks become rarer in long runs: each looks at all workers. */
  private static final double TICKS = 2_000;

  /** Bounds the ticks in which nothing happens. */
  private static final int MOST_IDLE_TICKS = 10_000;

  private final WorkflowGraph graph;
  private final TaskTimes times;
  private final Map<String, Double> elapsed;
  private final Dispatcher dispatcher;
  private final OutputPlacement placement;
  private final SimulatedFiles files;
  private final SharedLinks links;

  /** Reads of a node's own files, each from the node to itself. */
  private final SharedLinks localReads;

  /** Time of a task before and after its command, without its bytes. */
  private final double halfTaskSeconds;

  private final Map<String, SimulatedWorker> workers = new LinkedHashMap<>();
  private final Map<String, SimulatedAttempt> attempts = new HashMap<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();

  /** Attempts that wait for a file that is moving to their node, by file and node. */
  private final Map<Arrival, List<SimulatedAttempt>> arriving = new HashMap<>();

  private double now;
  private long order;
  private int idleTicks;
  private boolean isOver;
  private long bytesRead;

  /**
   * What is known about a run.
   *
   * @param mode how placement and scheduling use knowledge about the data
   * @param profiles profiles of task types, for times and needs
   * @param inputs places of inputs, by id; other inputs are where stock HDFS would have put them
   * @param done tasks that are done, with their outputs
   * @param elapsed seconds for which running tasks have run, by id
   */
  record Subject(
      Workflow workflow,
      Mode mode,
      TaskProfiles profiles,
      Map<String, StoredFile> inputs,
      Map<String, List<StoredFile>> done,
      Map<String, Double> elapsed) {

    Subject with(Workflow other) {
      return new Subject(other, mode, profiles, inputs, done, elapsed);
    }
  }

  private record Event(double time, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private record Arrival(String file, String node) {}

  RunSimulation(Subject subject, TaskTimes times, EstimateCluster cluster) {
    this.graph = subject.workflow().graph();
    this.times = times;
    this.elapsed = subject.elapsed();
    this.placement = OutputPlacement.of(subject.workflow(), subject.mode(), cluster);
    this.files = new SimulatedFiles(graph, cluster, subject.mode());
    this.links = new SharedLinks(cluster.rates().linkBytesPerSecond());
    this.localReads = new SharedLinks(cluster.rates().localBytesPerSecond());
    this.halfTaskSeconds = cluster.rates().taskSeconds() / 2;
    this.dispatcher =
        new Dispatcher(
            subject.mode() == Mode.STOCK ? AssignmentPolicy.FIFO : AssignmentPolicy.DATA_AWARE,
            cluster.worker(),
            new Graph(
                "",
                subject.workflow(),
                Limits.DEFAULT,
                0,
                false,
                subject.profiles(),
                Set.of(),
                Set.of(),
                List.of(),
                Set.of()));
    dispatcher.expect(cluster.workers());
    for (DataFile input : graph.workflowInputs()) {
      StoredFile known = subject.inputs().get(input.id());
      if (known == null) {
        dispatcher.locate(files.putInput(input, placement.input(input.id())));
      } else {
        files.put(known);
        dispatcher.locate(known);
      }
    }
    subject
        .done()
        .forEach(
            (task, outputs) -> {
              outputs.forEach(files::put);
              dispatcher.replay(new DispatchRecord.TakenOver(task, "", true, outputs));
            });
    for (int i = 0; i < cluster.workers(); i++) {
      String node = cluster.nodes().get(i % cluster.nodes().size());
      workers.put("w" + i, new SimulatedWorker("w" + i, node, cluster.worker()));
    }
  }

  /** Runs to the end, and returns its seconds. */
  double run() {
    for (SimulatedWorker worker : workers.values()) {
      apply(dispatcher.workerJoined(new WorkerInfo(worker.id, worker.node, "/rack"), 0));
    }
    apply(dispatcher.start(0));
    tickLater();
    while (!isOver) {
      double next = Math.min(links.nextEnd(), localReads.nextEnd());
      Event event = events.peek();
      if (event == null || next < event.time()) {
        advance(next);
      } else {
        events.remove();
        advance(event.time());
        event.action().run();
      }
    }
    return now;
  }

  private void advance(double time) {
    now = time;
    links.advance(time);
    localReads.advance(time);
  }

  long bytesRead() {
    return bytesRead;
  }

  /** Bytes that have moved between nodes. */
  long bytesMoved() {
    return links.moved();
  }

  private long millis() {
    return Math.round(now * MILLIS);
  }

  private void later(double seconds, Runnable action) {
    events.add(new Event(now + seconds, order++, action));
  }

  private void tickLater() {
    later(
        Math.max(1, now / TICKS),
        () -> {
          idleTicks = attempts.isEmpty() ? idleTicks + 1 : 0;
          if (idleTicks > MOST_IDLE_TICKS) {
            throw new IllegalStateException("No task can run on these workers");
          }
          apply(dispatcher.tick(millis()));
          tickLater();
        });
  }

  private static int rounds(int transfers) {
    return Math.max(1, (transfers + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE);
  }

  private void apply(Step step) {
    step.effects().forEach(this::apply);
  }

  private void apply(Effect effect) {
    if (effect instanceof Effect.Start start) {
      receive(start);
    } else if (effect instanceof Effect.Recall recall) {
      later(0, () -> recall(recall));
    } else if (effect instanceof Effect.DeleteFiles deletion) {
      List<String> deleted = deletion.files().stream().map(Effect.UnneededFile::file).toList();
      later(0, () -> apply(dispatcher.deleted(deleted, millis())));
    } else if (effect instanceof Effect.Check) {
      later(0, () -> apply(dispatcher.checked("", List.of(), millis())));
    } else if (effect instanceof Effect.Succeeded) {
      isOver = true;
    } else if (effect instanceof Effect.Failed failed) {
      throw new IllegalStateException("The simulated run failed: " + failed.failure().message());
    }
  }

  private SimulatedWorker worker(String id) {
    SimulatedWorker worker = workers.get(id);
    if (worker == null) {
      throw new IllegalStateException("No worker " + id);
    }
    return worker;
  }

  private void receive(Effect.Start start) {
    Task task = graph.task(start.task());
    SimulatedAttempt attempt = new SimulatedAttempt(start, task, worker(start.worker()), now);
    attempts.put(start.task(), attempt);
    attempt.worker.waiting.add(attempt);
    if (!task.joinsRegions()) {
      attempt.toFetch.addAll(task.inputs());
    }
    later(halfTaskSeconds * rounds(attempt.toFetch.size()), () -> fetch(attempt));
  }

  private long missing(SimulatedAttempt attempt, String file) {
    return graph.bytesRead(attempt.task, file)
        - files.bytesOn(attempt.worker.node, attempt.task, file);
  }

  /** Brings further inputs to an attempt's node. */
  private void fetch(SimulatedAttempt attempt) {
    while (!attempt.isGone && attempt.moving < SIDE_BY_SIDE && !attempt.toFetch.isEmpty()) {
      String file = attempt.toFetch.remove();
      long missing = missing(attempt, file);
      long here = graph.bytesRead(attempt.task, file) - missing;
      attempt.bytesLocal += here;
      if (here > 0 && !files.isCached(file, attempt.worker.node)) {
        attempt.moving++;
        readHere(attempt, file, here);
      }
      if (missing > 0) {
        attempt.moving++;
        attempt.bytesRemote += missing;
        bring(attempt, file, missing);
      }
    }
    if (attempt.moving == 0 && attempt.toFetch.isEmpty() && !attempt.isStaged) {
      attempt.isStaged = true;
      attempt.staged = now;
      begin(attempt.worker);
    }
  }

  private void readHere(SimulatedAttempt attempt, String file, long bytes) {
    String node = attempt.worker.node;
    localReads.start(
        node,
        node,
        bytes,
        () -> {
          if (files.isShared(file) && missing(attempt, file) == 0) {
            files.cache(file, node);
          }
          arrived(attempt);
        });
  }

  private void bring(SimulatedAttempt attempt, String file, long bytes) {
    String node = attempt.worker.node;
    Arrival arrival = new Arrival(file, node);
    List<SimulatedAttempt> others = arriving.get(arrival);
    if (others != null) {
      others.add(attempt);
      return;
    }
    String source = files.source(file, node, links);
    if (!files.isShared(file)) {
      links.start(source, node, bytes, () -> arrived(attempt));
      return;
    }
    arriving.put(arrival, new ArrayList<>(List.of(attempt)));
    links.start(source, node, bytes, () -> arrived(arrival, attempt.worker));
  }

  private void arrived(SimulatedAttempt attempt) {
    attempt.moving--;
    fetch(attempt);
  }

  private void arrived(Arrival arrival, SimulatedWorker worker) {
    files.cache(arrival.file(), arrival.node());
    List<SimulatedAttempt> waiting = arriving.remove(arrival);
    apply(
        dispatcher.cached(
            worker.id,
            Map.of(arrival.file(), graph.file(arrival.file()).sizeBytes()),
            List.of(),
            millis()));
    if (waiting != null) {
      waiting.forEach(this::arrived);
    }
  }

  private void begin(SimulatedWorker worker) {
    for (SimulatedAttempt next = worker.next(); next != null; next = worker.next()) {
      SimulatedAttempt attempt = next;
      attempt.hasBegun = true;
      double full = times.seconds(attempt.task.id());
      double ran = elapsed.getOrDefault(attempt.task.id(), 0.0);
      // A task beyond its time is expected to take a quarter of it longer, as in the scheduler.
      double left = ran == 0 ? full : Math.max(full - ran, ran / 4);
      later(attempt.task.joinsRegions() ? 0 : left, () -> ended(attempt));
    }
  }

  private void ended(SimulatedAttempt attempt) {
    attempt.ended = now;
    attempt.worker.release(attempt.start.needs());
    bytesRead += attempt.bytesLocal + attempt.bytesRemote;
    begin(attempt.worker);
    int outputs = attempt.task.joinsRegions() ? 1 : attempt.start.outputs().size();
    later(halfTaskSeconds * rounds(outputs), () -> store(attempt));
  }

  private void store(SimulatedAttempt attempt) {
    attempt.moving = 1;
    List<StoredFile> stored = new ArrayList<>();
    Runnable each = () -> written(attempt, stored);
    for (String output : attempt.start.outputs()) {
      OutputPlacement.Nodes nodes = placement.output(output, attempt.worker.node);
      stored.add(files.put(output, nodes.first()));
      if (!attempt.task.joinsRegions()) {
        attempt.moving += send(output, attempt.worker.node, nodes.first(), each);
      }
    }
    each.run();
  }

  /** Starts a pipeline from a node, and returns its number of flows. */
  private int send(String file, String from, List<String> nodes, Runnable each) {
    long bytes = graph.file(file).sizeBytes();
    int flows = 0;
    String sender = from;
    for (String node : nodes) {
      if (!node.equals(sender)) {
        links.start(sender, node, bytes, each);
        flows++;
      }
      sender = node;
    }
    return flows;
  }

  private void written(SimulatedAttempt attempt, List<StoredFile> stored) {
    attempt.moving--;
    if (attempt.moving == 0) {
      report(attempt, stored);
    }
  }

  private void report(SimulatedAttempt attempt, List<StoredFile> stored) {
    SimulatedWorker worker = attempt.worker;
    attempts.remove(attempt.start.task());
    Map<String, Long> kept = new HashMap<>();
    for (StoredFile file : stored) {
      if (files.keepsOutput(file.name())) {
        files.cache(file.name(), worker.node);
        kept.put(file.name(), file.sizeBytes());
      }
      List<String> more = placement.output(file.name(), worker.node).later();
      if (!more.isEmpty()) {
        later(REPLICATION_SECONDS, () -> replicate(file.name(), more));
      }
    }
    apply(dispatcher.reported(worker.id, attempt.report(stored, now), millis()));
    if (!kept.isEmpty()) {
      apply(dispatcher.cached(worker.id, kept, List.of(), millis()));
    }
  }

  /** HDFS makes the other replicas after the write. */
  private void replicate(String file, List<String> nodes) {
    for (String node : nodes) {
      links.start(
          files.source(file, node, links),
          node,
          graph.file(file).sizeBytes(),
          () -> files.add(file, node));
    }
  }

  private void recall(Effect.Recall recall) {
    SimulatedAttempt attempt = attempts.get(recall.task());
    if (attempt == null || attempt.start.attempt() != recall.attempt()) {
      return;
    }
    if (attempt.hasBegun) {
      apply(dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), millis()));
      return;
    }
    attempt.isGone = true;
    attempt.worker.waiting.remove(attempt);
    attempts.remove(recall.task());
    apply(
        dispatcher.reported(
            recall.worker(), TaskReport.recalled(recall.task(), recall.attempt()), millis()));
  }
}

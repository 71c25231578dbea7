package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run on a simulated cluster, determined by a seed. Nodes lose their files when they die. Workers
 * of one or more cores come and go, and may have started tasks ahead when these are taken back.
 * Tasks fail, results are lost after their commit, users pause, cancel and undo that, and new
 * dispatchers start from the journal and the users' requests. The simulation checks invariants
 * during the run and at its end.
 */
final class DispatchSimulation {

  private static final int MOST_EVENTS = 20_000;

  private static final long TICK = 500;
  private static final long ASKS_AFTER = 2_000;
  private static final long LEAST_DELAY = 2_000;

  private final Random random;
  private final AssignmentPolicy policy;
  final Workflow workflow;
  private final WorkflowGraph graph;
  private final WorkerSize size;
  final int nodes;
  final Set<String> safe = new HashSet<>();
  final List<DispatchRecord> journal = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  final Map<String, Set<String>> disk = new HashMap<>();
  final TreeMap<String, SimulatedWorker> workers = new TreeMap<>();
  final List<TaskReport> reports = new ArrayList<>();
  private final Map<String, Integer> failures = new HashMap<>();

  /** When a task may be retried after an HDFS error, at the earliest. */
  private final Map<String, Long> delayedUntil = new HashMap<>();

  Dispatcher dispatcher;
  long now;
  private long order;
  private int workerNumber;
  private boolean succeeded;
  boolean over;
  private int answers;
  private int copies;

  /** Whether some attempts take a thousand times as long as others. */
  final boolean stragglers;

  /** Attempts that were told to stop: worker, task and number. */
  private final Set<String> stopping = new HashSet<>();

  private final FaultInjector faultInjector;

  /** For deletions only. */
  private final Random deletions;

  /** Whether unneeded files are deleted. */
  private final boolean tidies;

  /** Files that were deleted and not made again. */
  private final Set<String> deleted = new HashSet<>();

  /** How many records of the journal are certainly on disk. */
  int written;

  private int deletedFiles;

  private record Event(long time, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(number, other.number);
    }
  }

  DispatchSimulation(long seed, AssignmentPolicy policy) {
    this.random = new Random(seed);
    this.deletions = new Random(seed);
    this.tidies = seed % 2 == 1;
    this.faultInjector = new FaultInjector(this, random);
    this.policy = policy;
    this.size = new WorkerSize(1 + random.nextInt(3), 100, random.nextInt(4));
    this.workflow =
        Graphs.random(
            random,
            List.of(
                ResourceNeeds.ONE_CORE,
                new ResourceNeeds(1, 60),
                new ResourceNeeds(1 + random.nextInt(size.cores()), 10)));
    this.graph = workflow.graph();
    this.nodes = 1 + random.nextInt(5);
    this.stragglers = random.nextBoolean();
    this.dispatcher = newDispatcher();
    graph.workflowInputs().forEach(file -> safe.add(file.id()));
    graph.workflowInputs().forEach(file -> disk.put(file.id(), new HashSet<>(List.of("n0"))));
  }

  Dispatcher newDispatcher() {
    // A task may lose its worker and its inputs with each fault.
    Set<String> temporaries =
        tidies
            ? graph.intermediates().stream().map(DataFile::id).collect(Collectors.toSet())
            : Set.of();
    Dispatcher fresh =
        new Dispatcher(
            policy,
            size,
            new Graph(
                "",
                workflow,
                new Limits(3, 1_000),
                0,
                stragglers,
                TaskProfiles.NONE,
                temporaries,
                Set.of(),
                List.of(),
                Set.of()));
    // Waits are not in the journal.
    delayedUntil.clear();
    return fresh;
  }

  /** How many files were deleted during the run. */
  int deletedFiles() {
    return deletedFiles;
  }

  /** How many second copies were started. */
  int copies() {
    return copies;
  }

  private void tickLater() {
    later(
        TICK,
        () -> {
          apply(dispatcher.tick(now));
          tickLater();
        });
  }

  void run() {
    apply(dispatcher.start(now));
    for (int node = 0; node < nodes; node++) {
      joinLater("n" + node);
    }
    faultInjector.begin();
    tickLater();
    for (int i = 0; i < MOST_EVENTS && !over; i++) {
      Event event = events.poll();
      assertThat(event).as("something is left to happen").isNotNull();
      now = event.time();
      event.what().run();
    }
    assertThat(over).as("the run has ended").isTrue();
    assertThat(answers)
        .as("each request is answered")
        .isGreaterThanOrEqualTo(faultInjector.steeringRequests());
    if (succeeded) {
      checkEnd();
    } else {
      assertThat(dispatcher.details("").dropped()).isPositive();
    }
  }

  void later(long delay, Runnable what) {
    events.add(new Event(now + delay, order++, what));
  }

  void joinLater(String node) {
    later(
        1 + random.nextInt(20),
        () -> {
          SimulatedWorker worker =
              new SimulatedWorker(new WorkerInfo("w" + workerNumber++, node, "/rack"));
          workers.put(worker.info.id(), worker);
          apply(dispatcher.workerJoined(worker.info, now));
        });
  }

  void apply(Step step) {
    journal.addAll(step.records());
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        take(start);
      } else if (effect instanceof Effect.Recall recall) {
        later(random.nextInt(5), () -> giveBack(recall));
      } else if (effect instanceof Effect.Check check) {
        Dispatcher asker = dispatcher;
        later(random.nextInt(5), () -> check(asker, check));
      } else if (effect instanceof Effect.Succeeded) {
        assertThat(succeeded).as("reported only once").isFalse();
        succeeded = true;
        over = true;
      } else if (effect instanceof Effect.Stop stop) {
        stopping.add(stop.worker() + " " + stop.task() + " " + stop.attempt());
        later(random.nextInt(5), () -> stop(stop));
      } else if (effect instanceof Effect.Permit permit) {
        later(random.nextInt(5), () -> permitted(permit));
      } else if (effect instanceof Effect.Failed failed
          && failed.failure().message().contains("cancelled")) {
        // All other tasks were done before the cancellation was undone.
        over = true;
      } else if (effect instanceof Effect.DeleteFiles unneeded) {
        Dispatcher asker = dispatcher;
        List<String> files = unneeded.files().stream().map(Effect.UnneededFile::file).toList();
        int written = journal.size();
        later(deletions.nextInt(40), () -> delete(asker, files, written));
      } else if (effect instanceof Effect.Answer) {
        answers++;
      } else if (!(effect instanceof Effect.Discard)) {
        throw new AssertionError("no task fails three times here: " + effect);
      }
    }
  }

  /** Deletes after the journal is written; a later dispatcher asks again. */
  private void delete(Dispatcher asker, List<String> files, int records) {
    if (asker != dispatcher) {
      return;
    }
    written = Math.max(written, records);
    for (String file : files) {
      assertThat(workers.values())
          .as("no task reads %s or makes it again", file)
          .noneMatch(worker -> worker.attempts.values().stream().anyMatch(at -> uses(at, file)));
      disk.remove(file);
      deleted.add(file);
      deletedFiles++;
    }
    apply(dispatcher.deleted(files, now));
  }

  private boolean uses(Effect.Start start, String file) {
    return start.outputs().contains(file) || graph.task(start.task()).inputs().contains(file);
  }

  private void take(Effect.Start start) {
    assertThat(deleted)
        .as("inputs of %s are there", start)
        .doesNotContainAnyElementsOf(graph.task(start.task()).inputs());
    SimulatedWorker worker = workers.get(start.worker());
    assertThat(worker).as("worker of %s lives", start).isNotNull();
    assertThat(worker.attempts).as("has it once").doesNotContainKey(start.task());
    long others =
        workers.values().stream()
            .filter(other -> other.attempts.containsKey(start.task()))
            .filter(other -> !isStopping(other, start.task()))
            .count();
    assertThat(others).as("others that have it").isEqualTo(start.copy() ? 1 : 0);
    assertThat(now)
        .as("%s has rested", start)
        .isGreaterThanOrEqualTo(start.copy() ? 0 : delayedUntil.getOrDefault(start.task(), 0L));
    copies += start.copy() ? 1 : 0;
    worker.take(start, now);
    assertThat(worker.attempts.size())
        .as("no more than it can run and have ahead")
        .isLessThanOrEqualTo(size.cores() + size.ahead());
    // Staging takes a while.
    later(random.nextInt(4), () -> beginWhatFits(worker));
  }

  private boolean isStopping(SimulatedWorker worker, String task) {
    Effect.Start start = worker.attempts.get(task);
    return start != null
        && stopping.contains(worker.info.id() + " " + task + " " + start.attempt());
  }

  /** Starts attempts like a worker: in the order of arrival, as far as there is room. */
  private void beginWhatFits(SimulatedWorker worker) {
    for (Effect.Start start : List.copyOf(worker.attempts.values())) {
      if (worker.begun.contains(start.task())) {
        continue;
      }
      if (!worker.fits(graph.task(start.task()), graph, size)) {
        return;
      }
      worker.begun.add(start.task());
      boolean slow = stragglers && random.nextInt(6) == 0;
      int time = slow ? 5_000 + random.nextInt(60_000) : 1 + random.nextInt(15);
      later(time, () -> end(worker, start));
    }
  }

  private void giveBack(Effect.Recall recall) {
    SimulatedWorker worker = workers.get(recall.worker());
    Effect.Start start = worker == null ? null : worker.attempt(recall.task(), recall.attempt());
    if (worker != null && worker.begun.contains(recall.task())) {
      apply(dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), now));
    } else if (worker != null && start != null) {
      worker.attempts.remove(recall.task());
      apply(dispatcher.reported(worker.info.id(), Reports.recalled(start), now));
      beginWhatFits(worker);
    }
  }

  private void stop(Effect.Stop stop) {
    SimulatedWorker worker = workers.get(stop.worker());
    if (worker != null && worker.attempt(stop.task(), stop.attempt()) != null) {
      worker.ended(stop.task());
      TaskReport report = TaskReport.stopped(stop.task(), stop.attempt());
      apply(dispatcher.reported(worker.info.id(), report, now));
      beginWhatFits(worker);
    }
  }

  /**
   * The result must still hold when the dispatcher gets it, or the run would end without the file.
   */
  private void check(Dispatcher asker, Effect.Check check) {
    if (asker == dispatcher) {
      List<String> lost = check.results().stream().filter(this::unreadable).toList();
      apply(dispatcher.checked("", lost, now));
    }
  }

  private boolean has(@Nullable SimulatedWorker worker, Effect.Start start) {
    return worker != null
        && workers.get(worker.info.id()) == worker
        && start.equals(worker.attempts.get(start.task()));
  }

  /** The command has ended; its outputs have temporary names. */
  private void end(SimulatedWorker worker, Effect.Start start) {
    if (!has(worker, start)) {
      return;
    }
    boolean asks = start.copy() || now - worker.since.getOrDefault(start.task(), now) >= ASKS_AFTER;
    if (stragglers && asks) {
      apply(dispatcher.mayCommit(worker.info.id(), start.task(), start.attempt(), now));
    } else {
      commit(worker, start);
    }
  }

  private void permitted(Effect.Permit permit) {
    SimulatedWorker worker = workers.get(permit.worker());
    Effect.Start start = worker == null ? null : worker.attempts.get(permit.task());
    if (worker == null || start == null || start.attempt() != permit.attempt()) {
      return;
    }
    if (permit.granted()) {
      commit(worker, start);
    } else {
      report(worker, start, TaskReport.stopped(start.task(), start.attempt()));
    }
  }

  private void commit(SimulatedWorker worker, Effect.Start start) {
    if (has(worker, start)) {
      TaskReport report = outcome(start, worker.info.node());
      reports.add(report);
      report(worker, start, report);
    }
  }

  private void report(SimulatedWorker worker, Effect.Start start, TaskReport report) {
    worker.ended(start.task());
    if (report.result() == Result.INFRASTRUCTURE) {
      delayedUntil.put(start.task(), now + LEAST_DELAY);
    }
    apply(dispatcher.reported(worker.info.id(), report, now));
    beginWhatFits(worker);
  }

  private TaskReport outcome(Effect.Start start, String node) {
    Task task = graph.task(start.task());
    String[] gone = task.inputs().stream().filter(this::unreadable).toArray(String[]::new);
    if (gone.length > 0) {
      return Reports.inputLost(start, gone);
    }
    if (random.nextInt(12) == 0) {
      return Reports.infrastructure(start);
    }
    if (random.nextInt(6) == 0 && failures.merge(task.id(), 1, Integer::sum) <= 2) {
      return Reports.failed(start, 1);
    }
    Set<String> places = new TreeSet<>(List.of(node));
    if (random.nextInt(3) == 0) {
      places.add("n" + (nodes - 1));
    }
    start.outputs().forEach(file -> disk.put(file, new HashSet<>(places)));
    start.outputs().forEach(deleted::remove);
    return Reports.succeeded(start, places);
  }

  private boolean unreadable(String file) {
    return disk.getOrDefault(file, Set.of()).isEmpty();
  }

  private void checkEnd() {
    for (var file : graph.finalOutputs()) {
      assertThat(unreadable(file.id())).as("%s exists", file.id()).isFalse();
    }
    new CompletionCounts(graph).check(workflow, journal);
    assertThat(dispatcher.progress().done()).isEqualTo(workflow.tasks().size());
  }
}

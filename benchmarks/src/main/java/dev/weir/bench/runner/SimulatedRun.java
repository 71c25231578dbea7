package dev.weir.bench.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A run with the real dispatcher and simulated workers, clock and transport. The ApplicationMaster
 * handles one event at a time; an event that arrives while it is busy waits. An event takes the CPU
 * time that the dispatcher used, plus {@link #OVERHEAD_NANOS} for the rest. Once a second the
 * dispatcher gets the time and returns the status, which counts too.
 */
final class SimulatedRun {

  private static final long LATENCY_NANOS = 1_000_000;

  /** The time to read a message and to write the journal and the response. */
  private static final long OVERHEAD_NANOS = 100_000;

  /** The time to stage in the inputs of a task, and to store its outputs. */
  private static final long STAGING_NANOS = 50_000_000;

  /** The interval at which the dispatcher gets the time and returns the status. */
  private static final long TICK_NANOS = 1_000_000_000L;

  private static final long TASK_NANOS = 10_000_000_000L;

  /** The middle of a run excludes this part of its tasks at both ends. */
  private static final int EDGE = 10;

  private static final int JOURNAL_SAMPLE = 997;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** CPU time excludes other load on the machine. */
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private final ObjectMapper json = new ObjectMapper();
  private final Dispatcher dispatcher;
  private final int tasks;
  private final Map<String, Long> lengths = new HashMap<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<String, SimulatedWorker> workers = new HashMap<>();
  private long now;
  private long order;
  private long masterFree;
  private long dispatchNanos;
  private long ticks;
  private long tickNanos;
  private long longestTickNanos;
  private long messages;
  private long recalls;
  private long records;
  private long journalBytes;
  private long journalled;
  private int running;
  private int ended;
  private long busyNanos;
  private long busySince;
  private Reading middleBegin = new Reading(0, 0);
  private Reading middleEnd = middleBegin;
  private boolean finished;

  /** The total running time of commands by some time, over all workers. */
  private record Reading(long time, long busyNanos) {}

  private record Event(long time, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(number, other.number);
    }
  }

  /**
   * A worker of one core: its assigned tasks, whether their inputs are staged, and the running
   * task.
   */
  private static final class SimulatedWorker {
    final String id;
    final String node;
    final Map<String, Boolean> staged = new LinkedHashMap<>();
    final Map<String, Effect.Start> orders = new HashMap<>();
    boolean busy;

    SimulatedWorker(String id, String node) {
      this.id = id;
      this.node = node;
    }
  }

  /**
   * The result.
   *
   * @param nanosPerTask CPU time of the dispatcher per task, in events of tasks and workers
   * @param nanosPerTick CPU time of the dispatcher per second for ticks
   * @param utilisation share of the workers' time in which a command ran, from the first event to
   *     the last
   * @param middle the same from the end of a tenth of the tasks to the end of nine tenths; NaN with
   *     fewer than ten tasks per worker
   * @param messagesPerTask messages between ApplicationMaster and workers, without heartbeats
   * @param recalls tasks that were recalled
   * @param masterLoad share of the time in which the ApplicationMaster was busy
   */
  record Outcome(
      double nanosPerTask,
      double nanosPerTick,
      long longestTickNanos,
      double utilisation,
      double middle,
      double messagesPerTask,
      long recalls,
      double journalBytesPerTask,
      double masterLoad) {}

  /**
   * Creates a run.
   *
   * @param workflow the workflow; each task takes 10 s, regardless of its declared runtime
   * @param nodes the number of nodes, each with one worker of one core
   * @param ahead the number of tasks that a worker gets ahead
   * @param places the locations of the workflow's inputs
   */
  SimulatedRun(Workflow workflow, int nodes, int ahead, Map<String, Map<String, Long>> places) {
    this.tasks = workflow.tasks().size();
    workflow.files().forEach((id, file) -> lengths.put(id, file.sizeBytes()));
    this.dispatcher =
        new Dispatcher(
            AssignmentPolicy.DATA_AWARE,
            new WorkerSize(1, Long.MAX_VALUE, ahead),
            new Graph(
                "",
                workflow,
                Limits.DEFAULT,
                0,
                true,
                TaskProfiles.NONE,
                Set.of(),
                Set.of(),
                List.of(),
                Set.of()));
    dispatcher.expect(nodes);
    places.forEach(
        (file, hosts) ->
            dispatcher.locate(new StoredFile(file, lengths.getOrDefault(file, 0L), hosts)));
    for (int i = 0; i < nodes; i++) {
      workers.put("w" + i, new SimulatedWorker("w" + i, "n" + i));
    }
  }

  Outcome run() {
    handle(() -> dispatcher.start(millis()));
    for (SimulatedWorker worker : workers.values()) {
      schedule(
          LATENCY_NANOS,
          () ->
              handle(
                  () ->
                      dispatcher.workerJoined(
                          new WorkerInfo(worker.id, worker.node, "/rack"), millis())));
    }
    schedule(TICK_NANOS, this::tick);
    while (!finished) {
      Event event = events.remove();
      now = Math.max(now, event.time());
      event.action().run();
    }
    double slots = (double) workers.size() * now;
    return new Outcome(
        (double) dispatchNanos / tasks,
        (double) tickNanos / Math.max(1, ticks),
        longestTickNanos,
        (double) tasks * TASK_NANOS / slots,
        middle(),
        (double) messages / tasks,
        recalls,
        (double) journalBytes / Math.max(1, journalled) * records / tasks,
        (dispatchNanos + tickNanos + (double) messages * OVERHEAD_NANOS) / now);
  }

  private double middle() {
    return tasks < EDGE * workers.size()
        ? Double.NaN
        : (double) (middleEnd.busyNanos - middleBegin.busyNanos)
            / workers.size()
            / (middleEnd.time - middleBegin.time);
  }

  private long millis() {
    return now / NANOS_PER_MILLI;
  }

  private void schedule(long delay, Runnable action) {
    events.add(new Event(now + delay, order++, action));
  }

  private void tick() {
    handle(
        () -> {
          Progress unused = dispatcher.progress();
          Progress.Details unusedDetails = dispatcher.details("");
          return dispatcher.tick(millis());
        },
        cpuNanos -> {
          ticks++;
          tickNanos += cpuNanos;
          longestTickNanos = Math.max(longestTickNanos, cpuNanos);
        });
    schedule(TICK_NANOS, this::tick);
  }

  private void handle(Supplier<Step> event) {
    handle(event, cpuNanos -> dispatchNanos += cpuNanos);
  }

  /** Handles an event on the ApplicationMaster after earlier ones. */
  private void handle(Supplier<Step> event, LongConsumer meter) {
    if (masterFree > now) {
      events.add(new Event(masterFree, order++, () -> handle(event, meter)));
      return;
    }
    long start = threads.getCurrentThreadCpuTime();
    Step step = event.get();
    long cpuNanos = threads.getCurrentThreadCpuTime() - start;
    meter.accept(cpuNanos);
    masterFree = now + cpuNanos + OVERHEAD_NANOS;
    for (DispatchRecord record : step.records()) {
      journal(record);
    }
    for (Effect effect : step.effects()) {
      apply(effect);
    }
  }

  private void journal(DispatchRecord record) {
    records++;
    if (records % JOURNAL_SAMPLE == 1) {
      journalled++;
      try {
        journalBytes += json.writeValueAsBytes(record).length;
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("Cannot write a record to the journal: " + record, e);
      }
    }
  }

  private void apply(Effect effect) {
    if (effect instanceof Effect.Start start) {
      messages++;
      SimulatedWorker worker = worker(start.worker());
      schedule(LATENCY_NANOS, () -> receive(worker, start));
    } else if (effect instanceof Effect.Recall recall) {
      messages++;
      recalls++;
      SimulatedWorker worker = worker(recall.worker());
      schedule(LATENCY_NANOS, () -> returnRecalled(worker, recall));
    } else if (effect instanceof Effect.Check) {
      schedule(0, () -> handle(() -> dispatcher.checked("", List.of(), millis())));
    } else if (effect instanceof Effect.Succeeded) {
      finished = true;
    } else {
      throw new IllegalStateException("unexpected failure: " + effect);
    }
  }

  private SimulatedWorker worker(String id) {
    SimulatedWorker worker = workers.get(id);
    if (worker == null) {
      throw new IllegalStateException("no worker " + id);
    }
    return worker;
  }

  private void receive(SimulatedWorker worker, Effect.Start start) {
    worker.orders.put(start.task(), start);
    worker.staged.put(start.task(), false);
    schedule(
        STAGING_NANOS,
        () -> {
          worker.staged.replace(start.task(), true);
          beginNext(worker);
        });
  }

  private void beginNext(SimulatedWorker worker) {
    if (worker.busy) {
      return;
    }
    for (Map.Entry<String, Boolean> task : worker.staged.entrySet()) {
      if (task.getValue()) {
        Effect.Start start = worker.orders.remove(task.getKey());
        worker.staged.remove(task.getKey());
        if (start != null) {
          worker.busy = true;
          changeRunning(1);
          schedule(TASK_NANOS, () -> end(worker, start));
        }
        return;
      }
    }
  }

  private void end(SimulatedWorker worker, Effect.Start start) {
    worker.busy = false;
    changeRunning(-1);
    ended++;
    if (ended == tasks / EDGE) {
      middleBegin = new Reading(now, busyNanos);
    } else if (ended == tasks - tasks / EDGE) {
      middleEnd = new Reading(now, busyNanos);
    }
    schedule(STAGING_NANOS + LATENCY_NANOS, () -> report(worker, succeeded(start, worker.node)));
    beginNext(worker);
  }

  /** Changes the number of running commands from now on. */
  private void changeRunning(int more) {
    busyNanos += running * (now - busySince);
    busySince = now;
    running += more;
  }

  private void returnRecalled(SimulatedWorker worker, Effect.Recall recall) {
    Effect.Start start = worker.orders.remove(recall.task());
    worker.staged.remove(recall.task());
    TaskReport back = TaskReport.recalled(recall.task(), recall.attempt());
    schedule(LATENCY_NANOS, start == null ? () -> begun(recall) : () -> report(worker, back));
  }

  private void begun(Effect.Recall recall) {
    messages++;
    handle(() -> dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), millis()));
  }

  private void report(SimulatedWorker worker, TaskReport report) {
    messages++;
    handle(() -> dispatcher.reported(worker.id, report, millis()));
  }

  private TaskReport succeeded(Effect.Start start, String node) {
    List<StoredFile> outputs = start.outputs().stream().map(file -> stored(file, node)).toList();
    return new TaskReport(
        start.task(),
        start.attempt(),
        Result.SUCCEEDED,
        0,
        "",
        "",
        List.of(),
        outputs,
        new Usage(25, 25, TASK_NANOS / NANOS_PER_MILLI, 50, 1, 0, 1, 0));
  }

  private StoredFile stored(String file, String node) {
    long bytes = lengths.getOrDefault(file, 0L);
    return new StoredFile(file, bytes, Map.of(node, bytes));
  }

  /** Returns the simulated duration of the run, in seconds. */
  double seconds() {
    return now / NANOS_PER_SECOND;
  }
}

package dev.weir.bench.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Effect;
import dev.weir.workflow.dispatch.Graph;
import dev.weir.workflow.dispatch.Habits;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.Progress;
import dev.weir.workflow.dispatch.Step;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.dispatch.WorkerSize;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
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
 * A run with the real dispatcher, and workers, clock and transport that are simulated. The
 * ApplicationMaster does one thing after the other: an event that comes while it is busy waits. An
 * event keeps it busy for as long as the dispatcher really took of a CPU, and {@link #AROUND_NANOS}
 * for what is around it. Once a second it tells the dispatcher the time and asks it how far the run
 * is, which counts as well.
 */
final class SimulatedRun {

  /** A message's way. */
  private static final long LATENCY_NANOS = 1_000_000;

  /** Reading a message, writing the journal and the answer. */
  private static final long AROUND_NANOS = 100_000;

  /** Bringing the inputs of a task, and storing its outputs. */
  private static final long STAGING_NANOS = 50_000_000;

  /** How often the dispatcher is told the time, and asked for the status. */
  private static final long TICK_NANOS = 1_000_000_000L;

  private static final long TASK_NANOS = 10_000_000_000L;

  /** The middle of a run is what is left without this part of its tasks, first and last. */
  private static final int EDGE = 10;

  private static final int JOURNAL_SAMPLE = 997;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** CPU time, so that what else the machine does is not counted. */
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private final ObjectMapper json = new ObjectMapper();
  private final Dispatcher dispatcher;
  private final int tasks;
  private final Map<String, Long> lengths = new HashMap<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<String, Live> workers = new HashMap<>();
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
  private Reading from = new Reading(0, 0);
  private Reading to = from;
  private boolean over;

  /** For how long commands have run by some time, all workers together. */
  private record Reading(long time, long busyNanos) {}

  private record Event(long time, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(number, other.number);
    }
  }

  /** A worker of one core: what it has in hand, whether the inputs are there, what it runs. */
  private static final class Live {
    final String id;
    final String node;
    final Map<String, Boolean> staged = new LinkedHashMap<>();
    final Map<String, Effect.Start> orders = new HashMap<>();
    boolean busy;

    Live(String id, String node) {
      this.id = id;
      this.node = node;
    }
  }

  /**
   * What came of it.
   *
   * @param nanosPerTask what the dispatcher took for each task, in the events of tasks and workers
   * @param nanosPerTick what it took each second beside them
   * @param longestTickNanos the most that it took in one of the seconds
   * @param utilisation share of the workers' time in which a command ran, from the first event to
   *     the last
   * @param middle the same from when a tenth of the tasks have ended until nine tenths have; not a
   *     number with fewer than ten tasks for each worker
   * @param messagesPerTask messages between ApplicationMaster and workers, heartbeats left out
   * @param recalls tasks that were asked back
   * @param journalBytesPerTask bytes of the journal
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
   * A run.
   *
   * @param workflow its tasks take 10 s each, whatever they say
   * @param nodes how many nodes, with one worker of one core on each
   * @param ahead how many tasks a worker is given ahead
   * @param places where the workflow's inputs are
   */
  SimulatedRun(Workflow workflow, int nodes, int ahead, Map<String, Map<String, Long>> places) {
    this.tasks = workflow.tasks().size();
    workflow.files().forEach((id, file) -> lengths.put(id, file.sizeBytes()));
    this.dispatcher =
        new Dispatcher(
            Policy.DATA_AWARE,
            new WorkerSize(1, Long.MAX_VALUE, ahead),
            new Graph(
                "",
                workflow,
                Limits.DEFAULT,
                0,
                true,
                true,
                Habits.NONE,
                Set.of(),
                Set.of(),
                List.of()));
    dispatcher.expect(nodes);
    places.forEach(
        (file, hosts) ->
            dispatcher.locate(new StoredFile(file, lengths.getOrDefault(file, 0L), hosts)));
    for (int i = 0; i < nodes; i++) {
      workers.put("w" + i, new Live("w" + i, "n" + i));
    }
  }

  /** Runs it to its end. */
  Outcome run() {
    handle(() -> dispatcher.start(millis()));
    for (Live worker : workers.values()) {
      later(
          LATENCY_NANOS,
          () ->
              handle(
                  () ->
                      dispatcher.workerJoined(
                          new WorkerInfo(worker.id, worker.node, "/rack"), millis())));
    }
    later(TICK_NANOS, this::tick);
    while (!over) {
      Event event = events.remove();
      now = Math.max(now, event.time());
      event.what().run();
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
        (dispatchNanos + tickNanos + (double) messages * AROUND_NANOS) / now);
  }

  private double middle() {
    return tasks < EDGE * workers.size()
        ? Double.NaN
        : (double) (to.busyNanos - from.busyNanos) / workers.size() / (to.time - from.time);
  }

  private long millis() {
    return now / NANOS_PER_MILLI;
  }

  private void later(long delay, Runnable what) {
    events.add(new Event(now + delay, order++, what));
  }

  private void tick() {
    handle(
        () -> {
          Progress unused = dispatcher.progress();
          Progress.Details unusedToo = dispatcher.details("");
          return dispatcher.tick(millis());
        },
        took -> {
          ticks++;
          tickNanos += took;
          longestTickNanos = Math.max(longestTickNanos, took);
        });
    later(TICK_NANOS, this::tick);
  }

  private void handle(Supplier<Step> event) {
    handle(event, took -> dispatchNanos += took);
  }

  /** On the ApplicationMaster: when it has done what came before. */
  private void handle(Supplier<Step> event, LongConsumer meter) {
    if (masterFree > now) {
      events.add(new Event(masterFree, order++, () -> handle(event, meter)));
      return;
    }
    long start = threads.getCurrentThreadCpuTime();
    Step step = event.get();
    long took = threads.getCurrentThreadCpuTime() - start;
    meter.accept(took);
    masterFree = now + took + AROUND_NANOS;
    for (DispatchRecord done : step.records()) {
      journal(done);
    }
    for (Effect effect : step.effects()) {
      carryOut(effect);
    }
  }

  private void journal(DispatchRecord record) {
    records++;
    if (records % JOURNAL_SAMPLE == 1) {
      journalled++;
      try {
        journalBytes += json.writeValueAsBytes(record).length;
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("A record cannot be put into the journal: " + record, e);
      }
    }
  }

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Start start) {
      messages++;
      Live worker = live(start.worker());
      later(LATENCY_NANOS, () -> take(worker, start));
    } else if (effect instanceof Effect.Recall recall) {
      messages++;
      recalls++;
      Live worker = live(recall.worker());
      later(LATENCY_NANOS, () -> giveBack(worker, recall));
    } else if (effect instanceof Effect.Copy copy) {
      messages++;
      later(LATENCY_NANOS + STAGING_NANOS + LATENCY_NANOS, () -> copied(copy));
    } else if (effect instanceof Effect.Pace || effect instanceof Effect.Drop) {
      messages++;
    } else if (effect instanceof Effect.Check) {
      later(0, () -> handle(() -> dispatcher.checked("", List.of(), millis())));
    } else if (effect instanceof Effect.Succeeded) {
      over = true;
    } else {
      throw new IllegalStateException("nothing fails here: " + effect);
    }
  }

  private Live live(String id) {
    Live worker = workers.get(id);
    if (worker == null) {
      throw new IllegalStateException("no worker " + id);
    }
    return worker;
  }

  private void take(Live worker, Effect.Start start) {
    worker.orders.put(start.task(), start);
    worker.staged.put(start.task(), false);
    later(
        STAGING_NANOS,
        () -> {
          worker.staged.replace(start.task(), true);
          beginNext(worker);
        });
  }

  private void beginNext(Live worker) {
    if (worker.busy) {
      return;
    }
    for (Map.Entry<String, Boolean> task : worker.staged.entrySet()) {
      if (task.getValue()) {
        Effect.Start start = worker.orders.remove(task.getKey());
        worker.staged.remove(task.getKey());
        if (start != null) {
          worker.busy = true;
          count(1);
          later(TASK_NANOS, () -> end(worker, start));
        }
        return;
      }
    }
  }

  private void end(Live worker, Effect.Start start) {
    worker.busy = false;
    count(-1);
    ended++;
    if (ended == tasks / EDGE) {
      from = new Reading(now, busyNanos);
    } else if (ended == tasks - tasks / EDGE) {
      to = new Reading(now, busyNanos);
    }
    later(STAGING_NANOS + LATENCY_NANOS, () -> report(worker, succeeded(start, worker.node)));
    beginNext(worker);
  }

  /** So many more commands run from now on. */
  private void count(int more) {
    busyNanos += running * (now - busySince);
    busySince = now;
    running += more;
  }

  private void giveBack(Live worker, Effect.Recall recall) {
    Effect.Start start = worker.orders.remove(recall.task());
    worker.staged.remove(recall.task());
    TaskReport back = TaskReport.recalled(recall.task(), recall.attempt());
    later(LATENCY_NANOS, start == null ? () -> begun(recall) : () -> report(worker, back));
  }

  private void begun(Effect.Recall recall) {
    messages++;
    handle(() -> dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), millis()));
  }

  private void copied(Effect.Copy copy) {
    messages++;
    long bytes = lengths.getOrDefault(copy.file(), 0L);
    handle(() -> dispatcher.caches().copied(copy.worker(), copy.number(), bytes, true, millis()));
  }

  private void report(Live worker, TaskReport report) {
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

  /** How long the run took in its own time, in seconds. */
  double seconds() {
    return now / NANOS_PER_SECOND;
  }
}

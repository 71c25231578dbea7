package dev.weir.bench.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Effect;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
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
import java.util.function.Supplier;

/**
 * A run with the real dispatcher, and workers, clock and transport that are simulated. The
 * ApplicationMaster does one thing after the other: an event that comes while it is busy waits. An
 * event keeps it busy for as long as the dispatcher really took of a CPU, and {@link #AROUND_NANOS}
 * for what is around it.
 */
final class SimulatedRun {

  /** A message's way. */
  private static final long LATENCY_NANOS = 1_000_000;

  /** Reading a message, writing the journal and the answer. */
  private static final long AROUND_NANOS = 100_000;

  /** Bringing the inputs of a task, and storing its outputs. */
  private static final long STAGING_NANOS = 50_000_000;

  private static final long TASK_NANOS = 10_000_000_000L;
  private static final int JOURNAL_SAMPLE = 997;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** CPU time, so that what else the machine does is not counted. */
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private final ObjectMapper json = new ObjectMapper();
  private final Dispatcher dispatcher;
  private final int tasks;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<String, Live> workers = new HashMap<>();
  private long now;
  private long order;
  private long masterFree;
  private long dispatchNanos;
  private long messages;
  private long recalls;
  private long records;
  private long journalBytes;
  private long journalled;
  private boolean over;

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
   * @param nanosPerTask what the dispatcher took for each task
   * @param utilisation share of the workers' time in which a command ran
   * @param messagesPerTask messages between ApplicationMaster and workers, heartbeats left out
   * @param recalls tasks that were asked back
   * @param journalBytesPerTask bytes of the journal
   * @param masterLoad share of the time in which the ApplicationMaster was busy
   */
  record Outcome(
      double nanosPerTask,
      double utilisation,
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
    this.dispatcher =
        new Dispatcher(
            workflow, Policy.DATA_AWARE, Limits.DEFAULT, new WorkerSize(1, Long.MAX_VALUE, ahead));
    places.forEach(dispatcher::locate);
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
    while (!over) {
      Event event = events.remove();
      now = Math.max(now, event.time());
      event.what().run();
    }
    double slots = (double) workers.size() * now;
    return new Outcome(
        (double) dispatchNanos / tasks,
        (double) tasks * TASK_NANOS / slots,
        (double) messages / tasks,
        recalls,
        (double) journalBytes / Math.max(1, journalled) * records / tasks,
        (dispatchNanos + (double) messages * AROUND_NANOS) / now);
  }

  private long millis() {
    return now / NANOS_PER_MILLI;
  }

  private void later(long delay, Runnable what) {
    events.add(new Event(now + delay, order++, what));
  }

  /** On the ApplicationMaster: when it has done what came before. */
  private void handle(Supplier<Step> event) {
    if (masterFree > now) {
      events.add(new Event(masterFree, order++, () -> handle(event)));
      return;
    }
    long start = threads.getCurrentThreadCpuTime();
    Step step = event.get();
    long took = threads.getCurrentThreadCpuTime() - start;
    dispatchNanos += took;
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
      later(LATENCY_NANOS, () -> giveBack(worker, recall.task()));
    } else if (effect instanceof Effect.Check) {
      later(0, () -> handle(() -> dispatcher.checked(List.of(), millis())));
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
          later(TASK_NANOS, () -> end(worker, start));
        }
        return;
      }
    }
  }

  private void end(Live worker, Effect.Start start) {
    worker.busy = false;
    later(STAGING_NANOS + LATENCY_NANOS, () -> report(worker, succeeded(start, worker.node)));
    beginNext(worker);
  }

  private void giveBack(Live worker, String task) {
    Effect.Start start = worker.orders.remove(task);
    worker.staged.remove(task);
    if (start != null) {
      later(LATENCY_NANOS, () -> report(worker, TaskReport.recalled(task, start.attempt())));
    }
  }

  private void report(Live worker, TaskReport report) {
    messages++;
    handle(() -> dispatcher.reported(worker.id, report, millis()));
  }

  private static TaskReport succeeded(Effect.Start start, String node) {
    List<StoredFile> outputs =
        start.outputs().stream().map(file -> new StoredFile(file, 1, Map.of(node, 1L))).toList();
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

  /** How long the run took in its own time, in seconds. */
  double seconds() {
    return now / NANOS_PER_SECOND;
  }
}

package dev.weir.workflow.reporter;

import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.WorkerEntry;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the hints service of a run while it goes on, from a thread of its own: nothing of the run
 * waits for it, and nothing that goes wrong here reaches the run. What the service has not
 * acknowledged at the end is left in the {@link RunRecordSpool}. A second ApplicationMaster tells
 * all of it once more, which changes nothing.
 */
public final class ProvenanceReporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProvenanceReporter.class);
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);
  private static final long LAST_MILLIS = 500;

  private final String run;
  private final Instant started;
  private final Attempts attempts;
  private final RunRecordSink desk;
  private final RunRecordSpool spool;
  private final Consumer<String> notes;
  private final Timing timing;
  private final Thread thread = new Thread(this::work, "provenance");

  private final RunPartSplitter parts;
  private final int tasks;
  private final AtomicInteger tasksTold = new AtomicInteger();
  private final AtomicInteger attemptsTold = new AtomicInteger();

  /** The thread's own. */
  private boolean announced;

  private volatile @Nullable End end;
  private volatile boolean stopping;
  private volatile boolean delivered;
  private volatile boolean away;
  private volatile boolean refused;

  /** Where the attempts of a run are found, in an order that does not change. */
  @FunctionalInterface
  public interface Attempts {
    /**
     * Reads some.
     *
     * @param from the number of the first, from 0
     * @param most how many at most
     * @return those that have ended so far
     */
    List<TaskRecord> read(int from, int most);
  }

  /**
   * How long it waits for what.
   *
   * @param period between two looks at what is new
   * @param patience how long the end of a run may wait for a service that has answered so far
   */
  record Timing(Duration period, Duration patience) {

    private static final Timing STANDARD = new Timing(Duration.ofSeconds(3), Duration.ofSeconds(5));
  }

  /** How a run ended. */
  private record End(RunHead head, RunPart workers) {}

  /**
   * What is told of.
   *
   * @param run id of the run
   * @param outline what it does
   * @param started when it began
   * @param attempts its attempts
   */
  public record Subject(String run, RunOutline outline, Instant started, Attempts attempts) {}

  /**
   * A courier, not started.
   *
   * @param desk takes what is told; closed with the courier
   * @param spool keeps what was not taken
   * @param notes hears what the user should know
   */
  public ProvenanceReporter(
      Subject subject, RunRecordSink desk, RunRecordSpool spool, Consumer<String> notes) {
    this(subject, desk, spool, notes, Timing.STANDARD);
  }

  ProvenanceReporter(
      Subject subject,
      RunRecordSink desk,
      RunRecordSpool spool,
      Consumer<String> notes,
      Timing timing) {
    this.timing = timing;
    this.run = subject.run();
    this.started = subject.started();
    this.attempts = subject.attempts();
    this.parts = new RunPartSplitter(subject.outline());
    this.tasks = subject.outline().tasks().size();
    this.desk = desk;
    this.spool = spool;
    this.notes = notes;
    thread.setDaemon(true);
  }

  /**
   * Starts a courier if the cluster has a hints service.
   *
   * @param conf the cluster's configuration
   * @param fs holds the spool
   * @param subject what is told of
   * @param notes hears what the user should know
   * @return empty when there is no service, or none can be asked
   */
  public static Optional<ProvenanceReporter> start(
      Configuration conf, FileSystem fs, Subject subject, Consumer<String> notes) {
    try {
      ClientSettings settings = ClientSettings.from(conf);
      if (!settings.isEnabled()) {
        return Optional.empty();
      }
      ProvenanceReporter courier =
          new ProvenanceReporter(
              subject, ServiceRunRecordSink.open(conf, settings), RunRecordSpool.ofHome(fs), notes);
      courier.start();
      return Optional.of(courier);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The provenance of this run is not recorded", e);
      return Optional.empty();
    }
  }

  /** Begins to tell. */
  void start() {
    thread.start();
  }

  /**
   * Tells the end of the run; returns within a few seconds, whether the service takes it or not.
   *
   * @param record the run
   * @param failure why it failed; null when it did not
   */
  public void finish(RunRecord record, @Nullable String failure) {
    try {
      RunPhase phase =
          switch (record.state()) {
            case SUCCEEDED -> RunPhase.SUCCEEDED;
            case FAILED -> RunPhase.FAILED;
            case CANCELLED -> RunPhase.CANCELLED;
          };
      RunHead head = parts.head(phase, record.started(), record.ended(), failure);
      end =
          new End(head, RunPart.ofWorkers(record.workers().stream().map(WorkerEntry::of).toList()));
      hurry();
      // A service that was away a moment ago costs the end of the run nothing.
      thread.join(away || refused ? LAST_MILLIS : timing.patience().toMillis());
      stop();
      if (!delivered) {
        spool.write(run, head, rest(end));
        LOG.info("What the hints service has not taken of this run waits in the spool");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A part of the provenance of this run is not recorded", e);
    }
  }

  private synchronized void hurry() {
    notifyAll();
  }

  private void stop() throws InterruptedException {
    stopping = true;
    thread.interrupt();
    thread.join(LAST_MILLIS);
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    desk.close();
  }

  private void work() {
    Duration rest = timing.period();
    boolean older = true;
    while (!stopping && !refused) {
      End known = end;
      try {
        tell(known);
        rest = timing.period();
        away = false;
        if (older && known == null) {
          deliverOlder();
          older = false;
        }
      } catch (HintsServiceException e) {
        away = e.isAway();
        refused = !e.isAway();
        report(e);
        rest = longer(rest);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot tell the hints service of this run now", e);
        rest = longer(rest);
      }
      if (known != null) {
        return;
      }
      pause(rest);
    }
  }

  private void deliverOlder() throws IOException {
    RunRecordSpool.Delivered found = spool.deliver(desk, () -> end == null && !stopping);
    found.problems().forEach(problem -> LOG.warn("Of an earlier run: {}", problem));
  }

  private void report(HintsServiceException e) {
    if (refused) {
      LOG.warn("The hints service refuses the provenance of this run", e);
      notes.accept(
          "the provenance of this run is not recorded now, but kept (weir provenance --deliver): "
              + e.getMessage());
    } else {
      LOG.info("The hints service is away; the provenance of this run waits: {}", e.getMessage());
    }
  }

  private static Duration longer(Duration rest) {
    Duration twice = rest.multipliedBy(2);
    return twice.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : twice;
  }

  /** Waits, but no longer than until the run has ended. */
  private synchronized void pause(Duration rest) {
    long until = System.nanoTime() + rest.toNanos();
    try {
      for (long left = rest.toNanos();
          left > 0 && end == null && !stopping;
          left = until - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      stopping = true;
      Thread.currentThread().interrupt();
    }
  }

  /** Tells what is new, all in an order that makes sense at any point. */
  private void tell(@Nullable End known) throws IOException {
    if (!announced) {
      desk.put(run, parts.head(RunPhase.RUNNING, started, null, null));
      announced = true;
    }
    for (Iterator<RunPart> news = news(); news.hasNext(); ) {
      RunPart part = news.next();
      desk.add(run, part);
      tasksTold.addAndGet(part.tasks().size());
      attemptsTold.addAndGet(part.attempts().size());
    }
    if (known != null) {
      desk.add(run, known.workers());
      desk.put(run, known.head());
      delivered = true;
    }
  }

  /** What was not told yet, as it is when it is asked for. */
  private Iterator<RunPart> news() {
    return new Iterator<>() {
      private int task = tasksTold.get();
      private int attempt = attemptsTold.get();
      private @Nullable RunPart next = find();

      private @Nullable RunPart find() {
        if (task < tasks) {
          RunPart part = parts.tasks(task);
          task += part.tasks().size();
          return part;
        }
        List<TaskRecord> ended = attempts.read(attempt, RunPartSplitter.ENTRIES);
        if (ended.isEmpty()) {
          return null;
        }
        RunPart part = parts.attempts(ended);
        attempt += part.attempts().size();
        return part;
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public RunPart next() {
        RunPart part = next;
        if (part == null) {
          throw new NoSuchElementException();
        }
        next = find();
        return part;
      }
    };
  }

  private Iterator<RunPart> rest(End known) {
    Iterator<RunPart> news = news();
    return new Iterator<>() {
      private boolean workers;

      @Override
      public boolean hasNext() {
        return !workers;
      }

      @Override
      public RunPart next() {
        if (news.hasNext()) {
          return news.next();
        }
        workers = true;
        return known.workers();
      }
    };
  }
}

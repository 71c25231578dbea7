package dev.weir.workflow.delivery;

import static java.util.Objects.requireNonNull;

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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a run to the hints service while it runs. It uses a thread of its own: the run never
 * waits for it, and its errors do not reach the run. Data that the service has not acknowledged at
 * the end is written to the {@link RunRecordSpool}. A restarted ApplicationMaster reports
 * everything again, which changes nothing.
 */
public final class ProvenanceReporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProvenanceReporter.class);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
  private static final long STOP_MILLIS = 500;

  private final String run;
  private final Instant started;
  private final Attempts attempts;
  private final RunRecordSink sink;
  private final RunRecordSpool spool;
  private final Consumer<String> notes;
  private final Timing timing;
  private final Thread thread = new Thread(this::run, "provenance");

  private volatile RunPartSplitter parts;
  private final AtomicInteger tasksSent = new AtomicInteger();
  private final AtomicInteger attemptsSent = new AtomicInteger();

  /** Used by the thread only. */
  private boolean announced;

  private volatile @Nullable End end;
  private volatile boolean stopping;
  private volatile boolean delivered;
  private volatile boolean unavailable;
  private volatile boolean refused;

  /** Reads the attempts of a run in a stable order. */
  @FunctionalInterface
  public interface Attempts {
    /**
     * Reads attempts that have ended.
     *
     * @param from index of the first, from 0
     * @param most the most to return
     * @return the attempts that have ended so far
     */
    List<TaskRecord> read(int from, int most);
  }

  /**
   * Intervals and timeouts.
   *
   * @param period between two reports
   * @param finishTimeout how long the end of a run waits for a service that has answered so far
   */
  record Timing(Duration period, Duration finishTimeout) {

    private static final Timing STANDARD = new Timing(Duration.ofSeconds(3), Duration.ofSeconds(5));
  }

  /** The data sent at the end of a run. */
  private record End(RunHead head, RunPart workers) {}

  /**
   * The run to report.
   *
   * @param outline its tasks and files
   */
  public record Subject(String run, RunOutline outline, Instant started, Attempts attempts) {}

  /**
   * Creates a reporter that is not started.
   *
   * @param sink receives the reports; closed with the reporter
   * @param spool stores what was not delivered
   * @param notes receives messages for the user
   */
  public ProvenanceReporter(
      Subject subject, RunRecordSink sink, RunRecordSpool spool, Consumer<String> notes) {
    this(subject, sink, spool, notes, Timing.STANDARD);
  }

  ProvenanceReporter(
      Subject subject,
      RunRecordSink sink,
      RunRecordSpool spool,
      Consumer<String> notes,
      Timing timing) {
    this.timing = timing;
    this.run = subject.run();
    this.started = subject.started();
    this.attempts = subject.attempts();
    this.parts = new RunPartSplitter(subject.outline());
    this.sink = sink;
    this.spool = spool;
    this.notes = notes;
    thread.setDaemon(true);
  }

  /**
   * Starts a reporter if the cluster has a hints service.
   *
   * @param fs file system of the spool
   * @param subject the run to report
   * @param notes receives messages for the user
   * @return empty if there is no service or it cannot be used
   */
  public static Optional<ProvenanceReporter> start(
      Configuration conf, FileSystem fs, Subject subject, Consumer<String> notes) {
    try {
      ClientSettings settings = ClientSettings.from(conf);
      if (!settings.isEnabled()) {
        return Optional.empty();
      }
      ProvenanceReporter reporter =
          new ProvenanceReporter(
              subject, ServiceRunRecordSink.open(conf, settings), RunRecordSpool.ofHome(fs), notes);
      reporter.start();
      return Optional.of(reporter);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The provenance of this run is not recorded", e);
      return Optional.empty();
    }
  }

  void start() {
    thread.start();
  }

  /**
   * Reports further tasks, before their attempts.
   *
   * @param outline all tasks of the run: the earlier ones, and then the new ones
   */
  public void grow(RunOutline outline) {
    parts = new RunPartSplitter(outline);
  }

  /**
   * Reports the end of the run. Returns within a few seconds even if the service does not answer.
   *
   * @param failure why it failed; null if it did not
   */
  public void finish(RunRecord record, @Nullable String failure) {
    try {
      RunPhase phase =
          switch (record.state()) {
            case RUNNING -> RunPhase.RUNNING;
            case SUCCEEDED -> RunPhase.SUCCEEDED;
            case FAILED -> RunPhase.FAILED;
            case CANCELLED -> RunPhase.CANCELLED;
          };
      RunHead head = parts.head(phase, record.started(), record.ended(), failure);
      end =
          new End(head, RunPart.ofWorkers(record.workers().stream().map(WorkerEntry::of).toList()));
      wakeUp();
      // The end of the run waits only briefly for a service that was just unavailable.
      thread.join(unavailable || refused ? STOP_MILLIS : timing.finishTimeout().toMillis());
      stop();
      if (!delivered) {
        spool.write(run, head, remaining(end));
        LOG.info("The part of this run's provenance that was not delivered is in the spool");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A part of the provenance of this run is not recorded", e);
    }
  }

  private synchronized void wakeUp() {
    notifyAll();
  }

  private void stop() throws InterruptedException {
    stopping = true;
    thread.interrupt();
    thread.join(STOP_MILLIS);
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sink.close();
  }

  private void run() {
    Duration pause = timing.period();
    boolean olderPending = true;
    while (!stopping && !refused) {
      End known = end;
      try {
        send(known);
        pause = timing.period();
        unavailable = false;
        if (olderPending && known == null) {
          deliverOlder();
          olderPending = false;
        }
      } catch (HintsServiceException e) {
        unavailable = e.isAway();
        refused = !e.isAway();
        report(e);
        pause = longer(pause);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot report this run to the hints service now", e);
        pause = longer(pause);
      }
      if (known != null) {
        return;
      }
      waitFor(pause);
    }
  }

  private void deliverOlder() throws IOException {
    RunRecordSpool.Delivered found = spool.deliver(sink, () -> end == null && !stopping);
    found
        .problems()
        .forEach(problem -> LOG.warn("Cannot deliver the record of an earlier run: {}", problem));
  }

  private void report(HintsServiceException e) {
    if (refused) {
      LOG.warn("The hints service refuses the provenance of this run", e);
      notes.accept(
          "the hints service refused the provenance of this run; it is kept (weir provenance"
              + " --deliver): "
              + e.getMessage());
    } else {
      LOG.info(
          "The hints service is unavailable; the provenance of this run is sent later: {}",
          e.getMessage());
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
  }

  /** Waits for the given time or until the run has ended. */
  private synchronized void waitFor(Duration duration) {
    long until = System.nanoTime() + duration.toNanos();
    try {
      for (long left = duration.toNanos();
          left > 0 && end == null && !stopping;
          left = until - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      stopping = true;
      Thread.currentThread().interrupt();
    }
  }

  /** Sends new entries in an order in which every prefix is consistent. */
  private void send(@Nullable End known) throws IOException {
    if (!announced) {
      sink.put(run, parts.head(RunPhase.RUNNING, started, null, null));
      announced = true;
    }
    for (Unsent next = unsent(tasksSent.get(), attemptsSent.get());
        next.part() != null;
        next = unsent(next.tasks(), next.attempts())) {
      sink.add(run, next.part());
      tasksSent.set(next.tasks());
      attemptsSent.set(next.attempts());
    }
    if (known != null) {
      sink.add(run, known.workers());
      sink.put(run, known.head());
      delivered = true;
    }
  }

  /**
   * A part that was not sent yet.
   *
   * @param tasks how many tasks were sent with it
   * @param attempts how many attempts were sent with it
   * @param part null when there is none now
   */
  private record Unsent(int tasks, int attempts, @Nullable RunPart part) {}

  /** Builds the next part after these numbers of tasks and attempts. */
  private Unsent unsent(int tasks, int sentAttempts) {
    if (tasks < parts.tasks()) {
      RunPart part = parts.tasks(tasks);
      return new Unsent(tasks + part.tasks().size(), sentAttempts, part);
    }
    List<TaskRecord> ended = attempts.read(sentAttempts, RunPartSplitter.MAX_ENTRIES);
    if (ended.isEmpty()) {
      return new Unsent(tasks, sentAttempts, null);
    }
    RunPart part = parts.attempts(ended);
    return new Unsent(tasks, sentAttempts + part.attempts().size(), part);
  }

  private Iterator<RunPart> remaining(End known) {
    Stream<RunPart> unsent =
        Stream.iterate(
                unsent(tasksSent.get(), attemptsSent.get()),
                next -> next.part() != null,
                next -> unsent(next.tasks(), next.attempts()))
            .map(next -> requireNonNull(next.part()));
    return Stream.concat(unsent, Stream.of(known.workers())).iterator();
  }
}

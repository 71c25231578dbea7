package dev.weir.workflow.run;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.WorkerInfo;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds replicas that HDFS creates after a task has ended. A worker's report only has the locations
 * at the time of the write. With Hadoop's defaults HDFS creates such copies within 3 to 6 s, later
 * under load, and does not notify clients. Thread-safe.
 */
public final class LateReplicaTracker implements RecordListener {

  /** The time between two rounds, in milliseconds. */
  public static final long PAUSE_MILLIS = 2_000;

  /** Time limit of a round: other tasks share its thread. */
  static final long ROUND_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(LateReplicaTracker.class);

  private static final long FIRST_MILLIS = 6_000;
  private static final long NEXT_MILLIS = 8_000;
  private static final int LOOKS = 4;

  /** Lookups in a round; each costs the NameNode some microseconds. */
  private static final int MOST_ASKED = 128;

  /** The maximum number of tracked files; the oldest are dropped. */
  private static final int MOST_WAITING = 20_000;

  private final RecordListener next;
  private final Predicate<String> copied;
  private final Places places;
  private final LongSupplier clock;

  /** First checks, in the order in which they are due; repeated checks are in the second queue. */
  private final Deque<Check> first = new ArrayDeque<>();

  private final Deque<Check> again = new ArrayDeque<>();

  /**
   * A file to check.
   *
   * @param stored the file and its locations when it was stored
   * @param left looks after this one
   * @param dueMillis when it is due, by the clock
   */
  private record Check(StoredFile stored, int left, long dueMillis) {

    /** Whether the whole file is on a host that did not have it. */
    boolean isCopied(Map<String, Long> now) {
      Map<String, Long> before = stored.bytesByHost();
      return now.entrySet().stream()
          .anyMatch(
              host ->
                  host.getValue() >= stored.sizeBytes()
                      && before.getOrDefault(host.getKey(), 0L) < stored.sizeBytes());
    }
  }

  /** Locates files in HDFS. */
  interface Places {

    /**
     * Locates a file.
     *
     * @param file id of a file
     * @return the bytes on each host; empty when the file is gone
     * @throws IOException when HDFS cannot be read
     */
    Optional<Map<String, Long>> of(String file) throws IOException;
  }

  /** Receives the changed locations of files. */
  public interface News {

    /**
     * The locations of a file have changed. Called at once, because the file may be lost and
     * recomputed at any time.
     *
     * @param file its id
     * @param places the bytes on each host
     */
    void moved(String file, Map<String, Long> places);
  }

  /**
   * Creates a tracker of a run's files.
   *
   * @param next receives the records
   * @param copied whether HDFS will copy the file with an id
   * @param clock milliseconds
   */
  LateReplicaTracker(
      RecordListener next, Predicate<String> copied, Places places, LongSupplier clock) {
    this.next = next;
    this.copied = copied;
    this.places = places;
    this.clock = clock;
  }

  @Override
  public void record(DispatchRecord record) {
    next.record(record);
    if (record instanceof DispatchRecord.AttemptEnded ended
        && ended.report().result() == TaskReport.Result.SUCCEEDED) {
      ended.report().outputs().forEach(this::stored);
    }
  }

  private void stored(StoredFile output) {
    if (!output.onNode() && copied.test(output.name())) {
      enqueue(first, new Check(output, LOOKS - 1, clock.getAsLong() + FIRST_MILLIS));
    }
  }

  private synchronized void enqueue(Deque<Check> queue, Check check) {
    queue.add(check);
    if (queue.size() > MOST_WAITING) {
      queue.remove();
    }
  }

  /** Removes and returns the next check that is due. */
  private synchronized Optional<Check> due(long now) {
    for (Deque<Check> queue : List.of(first, again)) {
      if (!queue.isEmpty() && queue.element().dueMillis() <= now) {
        return Optional.of(queue.remove());
      }
    }
    return Optional.empty();
  }

  /**
   * Checks the files that are due, at most {@link #MOST_ASKED}, and starts no lookup after {@link
   * #ROUND_MILLIS}. A failed lookup ends the round.
   */
  public void check(News news) {
    long begin = clock.getAsLong();
    for (int asked = 0; asked < MOST_ASKED && clock.getAsLong() - begin <= ROUND_MILLIS; asked++) {
      Check check = due(begin).orElse(null);
      if (check == null || !answered(check, news)) {
        return;
      }
    }
  }

  /** Whether HDFS answered; a denied permission concerns only its file and counts as an answer. */
  private boolean answered(Check check, News news) {
    try {
      places.of(check.stored().name()).ifPresent(now -> found(check, now, news));
      return true;
    } catch (IOException e) {
      LOG.debug("Cannot locate {}", check.stored().name(), e);
      lookAgain(check);
      return !HdfsOutages.isOutage(e);
    }
  }

  /** A file without locations is not gone: its DataNode may return soon. */
  private void found(Check check, Map<String, Long> now, News news) {
    if (check.isCopied(now)) {
      news.moved(check.stored().name(), now);
    } else {
      lookAgain(check);
    }
  }

  private void lookAgain(Check check) {
    if (check.left() > 0) {
      enqueue(again, new Check(check.stored(), check.left() - 1, clock.getAsLong() + NEXT_MILLIS));
    }
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    next.workerJoined(worker, now);
  }

  @Override
  public void workerEnded(String worker, long now) {
    next.workerEnded(worker, now);
  }
}

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
 * Looks for replicas that HDFS makes after a task has ended: a worker's report says where a file
 * was when it was written. A NameNode has such a copy made within 3 to 6 s with Hadoop's defaults,
 * later where much is to be copied; nobody is told of it. Thread-safe.
 */
public final class LateReplicaTracker implements RecordListener {

  /** The time between two rounds, in milliseconds. */
  public static final long PAUSE_MILLIS = 2_000;

  /** After so long no other question is asked in a round: others wait for its thread. */
  static final long ROUND_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(LateReplicaTracker.class);

  private static final long FIRST_MILLIS = 6_000;
  private static final long NEXT_MILLIS = 8_000;
  private static final int LOOKS = 4;

  /** Questions in a round, each of which costs a NameNode some microseconds. */
  private static final int MOST_ASKED = 128;

  /** Of very many the ones that came first are forgotten. */
  private static final int MOST_WAITING = 20_000;

  private final RecordListener next;
  private final Predicate<String> copied;
  private final Places places;
  private final LongSupplier clock;

  /** In the order in which they are due, by the first look and by those that follow. */
  private final Deque<Look> first = new ArrayDeque<>();

  private final Deque<Look> again = new ArrayDeque<>();

  /**
   * A file that is to be looked for.
   *
   * @param stored where it was when it was stored
   * @param left looks after this one
   * @param dueMillis when it is to be asked for, by the clock
   */
  private record Look(StoredFile stored, int left, long dueMillis) {

    /** Whether all of it has come to a host that did not have it. */
    boolean isCopied(Map<String, Long> now) {
      Map<String, Long> before = stored.bytesByHost();
      return now.entrySet().stream()
          .anyMatch(
              host ->
                  host.getValue() >= stored.sizeBytes()
                      && before.getOrDefault(host.getKey(), 0L) < stored.sizeBytes());
    }
  }

  /** Where HDFS holds files now. */
  interface Places {

    /**
     * Asks.
     *
     * @param file id of a file
     * @return for each host that holds some of it, how many bytes; empty when it is gone
     * @throws IOException when nobody answers now, or does not say
     */
    Optional<Map<String, Long>> of(String file) throws IOException;
  }

  /** Hears of files that are on other hosts than their writers said. */
  public interface News {

    /**
     * Tells, as soon as it is known: the file may be lost and made anew at any time.
     *
     * @param file its id
     * @param places for each host that holds some of it, how many bytes
     */
    void tell(String file, Map<String, Long> places);
  }

  /**
   * Looks for files of a run.
   *
   * @param next keeps what happens
   * @param copied whether copies of the file with that id will follow
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
    if (copied.test(output.name())) {
      enqueue(first, new Look(output, LOOKS - 1, clock.getAsLong() + FIRST_MILLIS));
    }
  }

  private synchronized void enqueue(Deque<Look> queue, Look look) {
    queue.add(look);
    if (queue.size() > MOST_WAITING) {
      queue.remove();
    }
  }

  /** Takes the next one that is due by then. */
  private synchronized Optional<Look> due(long now) {
    for (Deque<Look> queue : List.of(first, again)) {
      if (!queue.isEmpty() && queue.element().dueMillis() <= now) {
        return Optional.of(queue.remove());
      }
    }
    return Optional.empty();
  }

  /**
   * Asks for those that are due, at most {@link #MOST_ASKED}, for {@link #ROUND_MILLIS} and one
   * question more. After one that nobody answers the others wait for the next round.
   */
  public void look(News news) {
    long begin = clock.getAsLong();
    for (int asked = 0; asked < MOST_ASKED && clock.getAsLong() - begin <= ROUND_MILLIS; asked++) {
      Look look = due(begin).orElse(null);
      if (look == null || !answered(look, news)) {
        return;
      }
    }
  }

  /** Whether anybody answered; that a file may not be asked for says nothing of others. */
  private boolean answered(Look look, News news) {
    try {
      places.of(look.stored().name()).ifPresent(now -> heard(look, now, news));
      return true;
    } catch (IOException e) {
      LOG.debug("Nobody says where {} is", look.stored().name(), e);
      lookAgain(look);
      return !HdfsOutages.isOutage(e);
    }
  }

  /** A file without any place is none that is gone: its DataNode may be back in a moment. */
  private void heard(Look look, Map<String, Long> now, News news) {
    if (look.isCopied(now)) {
      news.tell(look.stored().name(), now);
    } else {
      lookAgain(look);
    }
  }

  private void lookAgain(Look look) {
    if (look.left() > 0) {
      enqueue(again, new Look(look.stored(), look.left() - 1, clock.getAsLong() + NEXT_MILLIS));
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

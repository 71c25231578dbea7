package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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
final class LaterCopies implements Ledger {

  /** The time between two looks, in milliseconds. */
  static final long PAUSE_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(LaterCopies.class);

  private static final long FIRST_MILLIS = 6_000;
  private static final long NEXT_MILLIS = 8_000;
  private static final int LOOKS = 4;

  /** Questions in one look, each of which costs a NameNode some microseconds. */
  private static final int MOST_ASKED = 128;

  /** Of very many the ones that came first are forgotten. */
  private static final int MOST_WAITING = 20_000;

  private final Ledger next;
  private final Predicate<String> copied;
  private final Places places;
  private final LongSupplier clock;

  /** In the order in which they are due, by the first look and by those that follow. */
  private final Deque<Look> first = new ArrayDeque<>();

  private final Deque<Look> again = new ArrayDeque<>();

  /**
   * A file that is to be looked for.
   *
   * @param hosts how many had it when it was stored
   * @param left looks after this one
   */
  private record Look(String file, int hosts, int left, long dueMillis) {}

  /** Where HDFS holds files now. */
  interface Places {

    /**
     * Asks.
     *
     * @param file id of a file
     * @return for each host that holds some of it, how many bytes; empty when it is gone
     * @throws IOException when nobody knows now
     */
    Optional<Map<String, Long>> of(String file) throws IOException;
  }

  /** Hears of files that are on other hosts than their writers said. */
  interface News {

    /**
     * Tells.
     *
     * @param places by ids of files, for each host how many bytes it holds; at least one
     */
    void tell(Map<String, Map<String, Long>> places);
  }

  /**
   * Looks for files of a run.
   *
   * @param next keeps what happens
   * @param copied whether copies of the file with that id will follow
   * @param clock milliseconds
   */
  LaterCopies(Ledger next, Predicate<String> copied, Places places, LongSupplier clock) {
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
      long due = clock.getAsLong() + FIRST_MILLIS;
      wait(first, new Look(output.name(), output.bytesByHost().size(), LOOKS - 1, due));
    }
  }

  private synchronized void wait(Deque<Look> queue, Look look) {
    queue.add(look);
    if (queue.size() > MOST_WAITING) {
      queue.remove();
    }
  }

  private synchronized List<Look> due() {
    long now = clock.getAsLong();
    List<Look> due = new ArrayList<>();
    take(first, now, due);
    take(again, now, due);
    return due;
  }

  private static void take(Deque<Look> queue, long now, List<Look> due) {
    while (due.size() < MOST_ASKED && !queue.isEmpty() && queue.peek().dueMillis() <= now) {
      due.add(queue.remove());
    }
  }

  /** Asks for those that are due. May wait for HDFS, no longer than one question may take. */
  void look(News news) {
    Map<String, Map<String, Long>> found = new HashMap<>();
    boolean answers = true;
    for (Look look : due()) {
      Optional<Map<String, Long>> now = Optional.of(Map.of());
      if (answers) {
        try {
          now = places.of(look.file());
        } catch (IOException e) {
          // Each of the others would wait for as long, and a user who steers the run behind them.
          answers = false;
          LOG.debug("Nobody says where {} is", look.file(), e);
        }
      }
      if (now.isPresent()) {
        heard(look, now.get(), found);
      }
    }
    if (!found.isEmpty()) {
      news.tell(found);
    }
  }

  /** A file without any place is none that is gone: its DataNode may be back in a moment. */
  private void heard(Look look, Map<String, Long> now, Map<String, Map<String, Long>> found) {
    if (now.size() > look.hosts()) {
      found.put(look.file(), now);
    } else if (look.left() > 0) {
      long due = clock.getAsLong() + NEXT_MILLIS;
      wait(again, new Look(look.file(), look.hosts(), look.left() - 1, due));
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

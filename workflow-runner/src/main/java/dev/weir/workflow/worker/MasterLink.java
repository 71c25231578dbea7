package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.rpc.MasterConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's link to the current ApplicationMaster of its run. It keeps the held attempts, and the
 * report of each until an ApplicationMaster has acknowledged it; the next ApplicationMaster
 * receives all of them first. Other messages sent while there is no ApplicationMaster are lost.
 * Thread-safe.
 */
final class MasterLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MasterLink.class);

  private final Search search;
  private final LongSupplier nanoTime;
  private final Map<AttemptKey, Held> inHand = new LinkedHashMap<>();

  /** Attempts whose reports were sent over this connection and are not acknowledged. */
  private final Deque<AttemptKey> unacknowledged = new ArrayDeque<>();

  private final List<Runnable> newMasterActions = new CopyOnWriteArrayList<>();
  private MasterConnection connection;
  private long acknowledged;
  private boolean isCut;

  /** The thread that searches for the next ApplicationMaster; null when there is none. */
  private @Nullable Thread searcher;

  private boolean closed;

  private static final class Held {
    private final long sinceNanos;

    /** Whether the order's connection still exists. */
    private boolean isConnected = true;

    private boolean mayCommit;
    private @Nullable TaskReport report;

    Held(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /** Finds the successor of a lost ApplicationMaster. */
  interface Search {

    /** Finds none. */
    Search NONE = () -> null;

    /**
     * Waits for the next ApplicationMaster.
     *
     * @return a connection that is not started: the last one if that ApplicationMaster still keeps
     *     the session; null when no other is expected
     */
    @Nullable MasterConnection find() throws InterruptedException;
  }

  /**
   * Creates a link.
   *
   * @param first the first connection, not started
   * @param search finds the next ApplicationMaster when a connection has ended
   */
  MasterLink(MasterConnection first, Search search, LongSupplier nanoTime) {
    this.connection = first;
    this.search = search;
    this.nanoTime = nanoTime;
  }

  /** Registers an action that runs for each ApplicationMaster after the first. */
  void onNewMaster(Runnable action) {
    newMasterActions.add(action);
  }

  /** Returns how the node caches of the session authenticate each other. */
  synchronized CacheSecurity cacheSecurity() {
    return connection.cacheSecurity();
  }

  /** Starts the first connection. */
  synchronized void start(MasterConnection.Listener listener) {
    connection.start(listener);
  }

  /** Sends a message. Never blocks. */
  synchronized void send(Message message) {
    connection.send(message);
  }

  /** Adds an attempt to the held ones. */
  synchronized void add(TaskOrder order) {
    inHand.put(AttemptKey.of(order), new Held(nanoTime.getAsLong()));
  }

  /** Records that a held attempt may commit. */
  synchronized void mayCommit(AttemptKey key) {
    Held held = inHand.get(key);
    if (held != null) {
      held.mayCommit = true;
    }
  }

  /**
   * Marks the connection as ended. Its orders may be given to other workers before the next
   * connection exists. Called by the connection's thread.
   */
  synchronized void disconnected() {
    isCut = true;
    inHand.values().forEach(held -> held.isConnected = false);
  }

  /**
   * Decides whether an attempt whose order requires no permit may commit. It may while the
   * connection of its order exists; the next ApplicationMaster is told about it.
   *
   * @return whether it may commit; otherwise it needs a permit
   */
  synchronized boolean commitsUnasked(AttemptKey key) {
    Held held = inHand.get(key);
    if (isCut || held == null || !held.isConnected) {
      return false;
    }
    held.mayCommit = true;
    return true;
  }

  /**
   * Sends the report of an attempt, and repeats it to later ApplicationMasters until it is
   * acknowledged. Never blocks.
   */
  synchronized void report(TaskReport report) {
    AttemptKey key = AttemptKey.of(report);
    inHand.computeIfAbsent(key, unknown -> new Held(nanoTime.getAsLong())).report = report;
    sendReport(key, report, connection);
  }

  private void sendReport(AttemptKey key, TaskReport report, Connection to) {
    unacknowledged.add(key);
    to.send(new Message.Ended(report));
  }

  /** The ApplicationMaster has acknowledged this number of reports of this connection. */
  synchronized void acknowledged(long reports) {
    while (acknowledged < reports && !unacknowledged.isEmpty()) {
      inHand.remove(unacknowledged.remove());
      acknowledged++;
    }
  }

  /**
   * Finds the next ApplicationMaster and sends it the held attempts. Called by one thread when a
   * connection has ended.
   *
   * @return whether there is one
   */
  boolean renew(MasterConnection.Listener listener) throws InterruptedException {
    MasterConnection next = search();
    if (next == null) {
      return false;
    }
    if (resume(next)) {
      next.start(listener);
      return true;
    }
    if (!switchTo(next)) {
      next.close();
      return false;
    }
    newMasterActions.forEach(Runnable::run);
    next.start(listener);
    return true;
  }

  /**
   * Continues with a connection whose session still exists. From now on held attempts need a permit
   * to commit.
   *
   * @return whether the session still exists
   */
  private synchronized boolean resume(MasterConnection next) {
    if (closed || next != connection) {
      return false;
    }
    isCut = false;
    return true;
  }

  private @Nullable MasterConnection search() throws InterruptedException {
    setSearcher(Thread.currentThread());
    try {
      return isClosed() ? null : search.find();
    } catch (InterruptedException e) {
      if (!isClosed()) {
        throw e;
      }
      return null;
    } finally {
      setSearcher(null);
      if (isClosed() && Thread.interrupted()) {
        LOG.debug("The search ended before it could be interrupted");
      }
    }
  }

  private synchronized void setSearcher(@Nullable Thread thread) {
    searcher = thread;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean switchTo(MasterConnection next) {
    if (closed) {
      return false;
    }
    List<HeldAttempt> held = new ArrayList<>();
    long now = nanoTime.getAsLong();
    inHand.forEach(
        (key, attempt) ->
            held.add(
                new HeldAttempt(
                    key.task(),
                    key.attempt(),
                    TimeUnit.NANOSECONDS.toMillis(now - attempt.sinceNanos),
                    attempt.mayCommit,
                    attempt.report != null)));
    LOG.info("Connected to a new ApplicationMaster with {} held attempts", held.size());
    next.send(new Message.InHand(held));
    acknowledged = 0;
    unacknowledged.clear();
    inHand.forEach(
        (key, attempt) -> {
          TaskReport report = attempt.report;
          if (report != null) {
            sendReport(key, report, next);
          }
        });
    connection = next;
    isCut = false;
    return true;
  }

  /** Closes the connection, and ends a running search; there is no later search. Idempotent. */
  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      closed = true;
      last = connection;
      Thread searching = searcher;
      if (searching != null) {
        searching.interrupt();
      }
    }
    last.close();
  }
}

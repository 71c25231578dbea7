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
 * A worker's way to the ApplicationMaster of its run, whichever that is by now. It knows what the
 * worker has in hand, and keeps the report of each attempt until an ApplicationMaster has noted it:
 * the next one is told all that first. What else is said while there is none is heard by nobody.
 * Thread-safe.
 */
final class MasterLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MasterLink.class);

  private final Search search;
  private final LongSupplier nanoTime;
  private final Map<AttemptKey, Held> hand = new LinkedHashMap<>();

  /** Attempts whose ends were said over this connection and are not noted. */
  private final Deque<AttemptKey> said = new ArrayDeque<>();

  private final List<Runnable> tellers = new CopyOnWriteArrayList<>();
  private MasterConnection connection;
  private long noted;
  private boolean isCut;

  /** Looks for the next ApplicationMaster; null when nobody does. */
  private @Nullable Thread searcher;

  private boolean closed;

  private static final class Held {
    private final long sinceNanos;

    /** Whether the connection over which it was given has not ended. */
    private boolean isConnected = true;

    private boolean mayCommit;
    private @Nullable TaskReport report;

    Held(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /** Finds the ApplicationMaster that comes after one that is gone. */
  interface Search {

    /** None comes. */
    Search IN_VAIN = () -> null;

    /**
     * Waits for it.
     *
     * @return a connection, not yet started: the last one when that ApplicationMaster still keeps
     *     its session; null when none is to be expected any more
     */
    @Nullable MasterConnection find() throws InterruptedException;
  }

  /**
   * A link.
   *
   * @param first the connection to begin with, not yet started
   * @param search asked when a connection is over
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  MasterLink(MasterConnection first, Search search, LongSupplier nanoTime) {
    this.connection = first;
    this.search = search;
    this.nanoTime = nanoTime;
  }

  /** Has something said to each ApplicationMaster after the first. */
  void eachTime(Runnable teller) {
    tellers.add(teller);
  }

  /** How the node caches of the session know each other. */
  synchronized CacheSecurity cacheSecurity() {
    return connection.cacheSecurity();
  }

  /** Starts the first connection. */
  synchronized void start(MasterConnection.Listener listener) {
    connection.start(listener);
  }

  /** Says something. Never blocks. */
  synchronized void send(Message message) {
    connection.send(message);
  }

  /** The worker has an attempt in hand from now on. */
  synchronized void given(TaskOrder order) {
    hand.put(AttemptKey.of(order), new Held(nanoTime.getAsLong()));
  }

  /** An attempt that the worker has in hand may commit. */
  synchronized void mayCommit(AttemptKey key) {
    Held held = hand.get(key);
    if (held != null) {
      held.mayCommit = true;
    }
  }

  /**
   * The connection is over: what was given over it may have been given to somebody else by the time
   * that there is another. To be called by the thread that hears the connection.
   */
  synchronized void cut() {
    isCut = true;
    hand.values().forEach(held -> held.isConnected = false);
  }

  /**
   * An attempt whose order does not have it ask is to commit. It may as long as the connection over
   * which it was given lasts; the next ApplicationMaster is told that it has.
   *
   * @return whether it may; otherwise it has to ask
   */
  synchronized boolean commitsUnasked(AttemptKey key) {
    Held held = hand.get(key);
    if (isCut || held == null || !held.isConnected) {
      return false;
    }
    held.mayCommit = true;
    return true;
  }

  /** Says how an attempt has ended, until that is noted. Never blocks. */
  synchronized void report(TaskReport report) {
    AttemptKey key = AttemptKey.of(report);
    hand.computeIfAbsent(key, unknown -> new Held(nanoTime.getAsLong())).report = report;
    say(key, report, connection);
  }

  private void say(AttemptKey key, TaskReport report, Connection to) {
    said.add(key);
    to.send(new Message.Ended(report));
  }

  /** The ApplicationMaster has noted so many of the reports over this connection. */
  synchronized void noted(long reports) {
    while (noted < reports && !said.isEmpty()) {
      hand.remove(said.remove());
      noted++;
    }
  }

  /**
   * Finds the next ApplicationMaster and tells it what is in hand. To be called when a connection
   * is over, by one thread.
   *
   * @param listener hears the new connection
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
    if (!take(next)) {
      next.close();
      return false;
    }
    tellers.forEach(Runnable::run);
    next.start(listener);
    return true;
  }

  /**
   * Goes on with a connection whose session has lasted. What was in hand may commit only when asked
   * for.
   *
   * @return whether it has
   */
  private synchronized boolean resume(MasterConnection next) {
    if (closed || next != connection) {
      return false;
    }
    isCut = false;
    return true;
  }

  private @Nullable MasterConnection search() throws InterruptedException {
    lookedForBy(Thread.currentThread());
    try {
      return isClosed() ? null : search.find();
    } catch (InterruptedException e) {
      if (!isClosed()) {
        throw e;
      }
      return null;
    } finally {
      lookedForBy(null);
      if (isClosed() && Thread.interrupted()) {
        LOG.debug("The search has ended before it was told to");
      }
    }
  }

  private synchronized void lookedForBy(@Nullable Thread thread) {
    searcher = thread;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean take(MasterConnection next) {
    if (closed) {
      return false;
    }
    List<HeldAttempt> held = new ArrayList<>();
    long now = nanoTime.getAsLong();
    hand.forEach(
        (key, attempt) ->
            held.add(
                new HeldAttempt(
                    key.task(),
                    key.attempt(),
                    TimeUnit.NANOSECONDS.toMillis(now - attempt.sinceNanos),
                    attempt.mayCommit,
                    attempt.report != null)));
    LOG.info("There is an ApplicationMaster again; {} attempts are in hand", held.size());
    next.send(new Message.InHand(held));
    noted = 0;
    said.clear();
    hand.forEach(
        (key, attempt) -> {
          TaskReport report = attempt.report;
          if (report != null) {
            say(key, report, next);
          }
        });
    connection = next;
    isCut = false;
    return true;
  }

  /** Ends the connection, and looks for no other, nor does who looks now. Idempotent. */
  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      closed = true;
      last = connection;
      Thread looking = searcher;
      if (looking != null) {
        looking.interrupt();
      }
    }
    last.close();
  }
}

package dev.weir.hdfs.placement;

import dev.weir.hints.HintSettings;
import dev.weir.hints.LogLimit;
import dev.weir.hints.Match;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreStatus;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints as other people's threads see them: only {@link #awaitLoaded} waits, and nothing throws
 * but {@link #lookup} when the store itself is at fault. The store is opened on a thread of its
 * own, and only when {@link #start} says so, for file systems and placement policies are also made
 * by those who never write.
 */
public final class LazyHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LazyHints.class);

  private final @Nullable Supplier<? extends HintStore> opener;
  private final LogLimit logLimit;
  private final CountDownLatch opened = new CountDownLatch(1);
  private final Object monitor = new Object();
  private volatile @Nullable HintStore store;
  private volatile boolean begun;

  /** When to begin, by {@link System#nanoTime}; null until somebody wants to. */
  private @Nullable Long due;

  private boolean closed;

  /**
   * Hints of a store that is opened when it is needed.
   *
   * @param opener opens the store; null for no hints ever
   * @param logLimit keeps a lasting fault from filling the log
   */
  public LazyHints(@Nullable Supplier<? extends HintStore> opener, LogLimit logLimit) {
    this.opener = opener;
    this.logLimit = logLimit;
  }

  /**
   * The hints that the configuration names; none, and a line in the log, when it names them badly.
   *
   * @param opener opens the store of settings that name one; called on a thread of its own
   */
  public static LazyHints of(
      Configuration configuration, Function<HintSettings, ? extends HintStore> opener) {
    try {
      HintSettings settings = HintSettings.from(configuration);
      if (settings.isEnabled()) {
        return new LazyHints(() -> opener.apply(settings), LogLimit.oncePerMinute());
      }
    } catch (RuntimeException e) {
      LOG.warn("No hints, every file is as stock has it: {}", e.toString());
    }
    return none();
  }

  /** The same for a NameNode, which publishes what it has applied, and at which host. */
  public static LazyHints ofNameNode(Configuration configuration) {
    return of(
        configuration,
        settings ->
            ZooKeeperHintStore.open(
                NameNodeIdentity.settings(settings, configuration),
                HintStore.ROLE_NAMENODE,
                NameNodeIdentity.host(configuration)));
  }

  /** No hints ever. */
  public static LazyHints none() {
    return new LazyHints(null, LogLimit.oncePerMinute());
  }

  /** Whether there can ever be any. */
  public boolean isEnabled() {
    return opener != null;
  }

  /** Begins to read hints, if that has not been begun. Returns at once. */
  public void start() {
    startWithin(Duration.ZERO);
  }

  /**
   * Begins to read hints after a while, or sooner if somebody asks for that: a process that has
   * ended by then has paid nothing for them. Returns at once.
   */
  public void startWithin(Duration delay) {
    if (opener == null || begun) {
      return;
    }
    long wanted = System.nanoTime() + delay.toNanos();
    synchronized (monitor) {
      if (due == null) {
        due = wanted;
        inBackground("weir-hints-start", this::openWhenDue);
      } else if (wanted - due < 0) {
        due = wanted;
        monitor.notifyAll();
      }
    }
  }

  /** Whether hints are being read, or have been. */
  public boolean isBegun() {
    return begun;
  }

  /** The rule for a file, empty when there is none or none is known yet. */
  public Optional<Match> lookup(String path) {
    HintStore present = store;
    return present == null ? Optional.empty() : present.snapshot().lookup(path);
  }

  /** How well the hints known are in step; empty before the store is open. Never waits. */
  public Optional<StoreStatus> status() {
    HintStore present = store;
    return present == null ? Optional.empty() : Optional.of(present.status());
  }

  /**
   * Waits until the first index was loaded.
   *
   * @return whether it was, within the time; false at once when the thread is interrupted, which it
   *     stays
   */
  public boolean awaitLoaded(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      if (!opened.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      HintStore present = store;
      Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      return present != null && present.awaitLoaded(left);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes note of a fault in following a hint; the file is as stock has it. */
  public void failed(String path, Throwable fault) {
    if (logLimit.permits()) {
      LOG.warn("Following the hint for {} failed; the file is as stock has it", path, fault);
    }
  }

  /** Lets go of the store on a thread of its own: taking leave of ZooKeeper takes a while. */
  @Override
  public void close() {
    HintStore present;
    synchronized (monitor) {
      closed = true;
      present = store;
      store = null;
      monitor.notifyAll();
    }
    if (present != null) {
      inBackground("weir-hints-stop", present::close);
    }
  }

  private static void inBackground(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void openWhenDue() {
    try {
      if (opener != null && awaitDue()) {
        HintStore fresh = opener.get();
        if (!adopt(fresh)) {
          fresh.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Hints cannot be read; every file is as stock has it", e);
    } finally {
      opened.countDown();
    }
  }

  /** Whether there is still somebody to open the store for. */
  private boolean awaitDue() throws InterruptedException {
    synchronized (monitor) {
      while (!closed && due != null && due - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(monitor, due - System.nanoTime());
      }
      begun = true;
      return !closed;
    }
  }

  private boolean adopt(HintStore fresh) {
    synchronized (monitor) {
      if (!closed) {
        store = fresh;
      }
      return !closed;
    }
  }
}

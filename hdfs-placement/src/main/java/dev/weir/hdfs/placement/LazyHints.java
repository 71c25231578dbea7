package dev.weir.hdfs.placement;

import dev.weir.hints.HintSettings;
import dev.weir.hints.LogLimit;
import dev.weir.hints.index.Match;
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
 * Gives Hadoop's threads access to hints. Only {@link #awaitLoaded} blocks. Only {@link #lookup}
 * can throw, if the store fails. The store is opened on a thread of its own and only after {@link
 * #start}, since placement policies are also created by processes that are no NameNode.
 */
public final class LazyHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LazyHints.class);

  private final @Nullable Supplier<? extends HintStore> opener;
  private final LogLimit logLimit;
  private final CountDownLatch opened = new CountDownLatch(1);
  private final Object monitor = new Object();
  private volatile @Nullable HintStore store;
  private boolean started;
  private boolean closed;

  /**
   * Creates hints of a store that is opened when needed.
   *
   * @param opener opens the store; null for no hints
   * @param logLimit limits the log messages of a lasting fault
   */
  public LazyHints(@Nullable Supplier<? extends HintStore> opener, LogLimit logLimit) {
    this.opener = opener;
    this.logLimit = logLimit;
  }

  /**
   * The hints that the configuration names. Logs a warning and returns no hints if its settings are
   * invalid.
   *
   * @param opener opens the store, on a separate thread
   */
  public static LazyHints of(
      Configuration configuration, Function<HintSettings, ? extends HintStore> opener) {
    try {
      HintSettings settings = HintSettings.from(configuration);
      if (settings.isEnabled()) {
        return new LazyHints(() -> opener.apply(settings), LogLimit.oncePerMinute());
      }
    } catch (RuntimeException e) {
      LOG.warn("Hints cannot be used; files get stock values: {}", e.toString());
    }
    return none();
  }

  /** The hints for a NameNode, which publishes the version that it has applied and its host. */
  public static LazyHints ofNameNode(Configuration configuration) {
    return of(
        configuration,
        settings ->
            ZooKeeperHintStore.open(
                NameNodeIdentity.settings(settings, configuration),
                HintStore.ROLE_NAMENODE,
                NameNodeIdentity.host(configuration)));
  }

  /** Hints without any rules. */
  public static LazyHints none() {
    return new LazyHints(null, LogLimit.oncePerMinute());
  }

  public boolean isEnabled() {
    return opener != null;
  }

  /** Starts loading hints unless loading has started. Does not block. */
  public void start() {
    synchronized (monitor) {
      if (opener == null || started || closed) {
        return;
      }
      started = true;
    }
    inBackground("weir-hints-start", this::open);
  }

  /** The rule for a file; empty if there is none or hints are not loaded yet. */
  public Optional<Match> lookup(String path) {
    HintStore present = store;
    return present == null ? Optional.empty() : present.snapshot().lookup(path);
  }

  /** The state of the store; empty until it is open. Never blocks. */
  public Optional<StoreStatus> status() {
    HintStore present = store;
    return present == null ? Optional.empty() : Optional.of(present.status());
  }

  /**
   * Waits until the first index is loaded.
   *
   * @return whether it was loaded in time; false at once if the thread is interrupted, and the
   *     thread stays interrupted
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

  /** Logs a failure to follow a hint; the file got stock values. */
  public void logFailure(String path, Throwable failure) {
    if (logLimit.permits()) {
      LOG.warn("Cannot follow the hint for {}; the file gets stock values", path, failure);
    }
  }

  /** Closes the store on a separate thread, since closing a ZooKeeper session takes time. */
  @Override
  public void close() {
    HintStore present;
    synchronized (monitor) {
      closed = true;
      present = store;
      store = null;
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

  private void open() {
    try {
      if (opener != null) {
        HintStore fresh = opener.get();
        if (!adopt(fresh)) {
          fresh.close();
        }
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Cannot read hints; files get stock values", e);
    } finally {
      opened.countDown();
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

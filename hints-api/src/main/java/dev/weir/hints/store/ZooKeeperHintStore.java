package dev.weir.hints.store;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.LogLimit;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.index.HintIndex;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.KeeperException.OperationTimeoutException;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores hint sets in ZooKeeper, one znode per set below {@code ROOT/sets} and the parts of long
 * ones below {@code ROOT/parts}. A daemon thread of the store connects, watches, and replaces the
 * immutable index after each change. Opening it never blocks or fails: without ZooKeeper the index
 * is empty, and after a disconnection the last index is kept.
 */
public final class ZooKeeperHintStore implements HintStore {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperHintStore.class);
  private static final Duration NO_LIMIT = Duration.ofDays(1);
  private static final long LOAD_RETRY_SECONDS = 5;

  private final HintSettings settings;
  private final String sets;
  private final SetZnodes setZnodes;
  private final Watching watching;
  private final Clock clock;
  private final ScheduledExecutorService executor;
  private final StoreAclProvider aclProvider;
  private final ZooKeeperConnection connection;
  private final SetsWatch watch;
  private final SetsReader reader;
  private final AppliedVersions applied;
  private final CountDownLatch loaded = new CountDownLatch(1);
  private final AtomicBoolean loadRequested = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final LogLimit logLimit = LogLimit.oncePerMinute();
  private volatile LiveIndex live;

  /** Why no sets are followed; null if they are. */
  private volatile @Nullable String refused;

  private ZooKeeperHintStore(
      HintSettings settings, Watching watching, Clock clock, ZooKeeperTiming timing) {
    this.sets = settings.root() + "/sets";
    SetParts parts = new SetParts(settings.root() + "/parts", SetParts.ORPHAN_AGE);
    this.setZnodes = new SetZnodes(sets, parts);
    this.watching = watching;
    this.clock = clock;
    this.live = LiveIndex.of(HintIndex.empty(settings.authority()));
    ThreadFactory threads = DaemonThreadFactory.named("weir-hints");
    this.executor = Executors.newSingleThreadScheduledExecutor(threads);
    this.aclProvider = new StoreAclProvider(settings.access(), settings.root());
    this.connection =
        new ZooKeeperConnection(
            settings.quorum(), aclProvider, timing, executor, threads, this::connected, clock);
    this.watch = new SetsWatch(sets, this::requestLoad);
    this.reader = new SetsReader(sets, parts, watch, aclProvider, settings.memory());
    this.settings = settings;
    this.applied = new AppliedVersions(settings.root());
  }

  /**
   * Opens a store that publishes no version, for processes that write sets or only read them.
   *
   * @throws InvalidHintException if the settings have no quorum
   */
  public static ZooKeeperHintStore open(HintSettings settings) {
    return open(settings, "");
  }

  /**
   * Opens a store that is a watcher of a role, see {@link HintStore}.
   *
   * @param role the role; empty for none
   * @throws InvalidHintException if the settings have no quorum
   */
  public static ZooKeeperHintStore open(HintSettings settings, String role) {
    return open(settings, role, "");
  }

  /**
   * Opens a store that is a watcher of a role and publishes its host.
   *
   * @param role the role; empty for none
   * @param host the name by which others know its host
   * @throws InvalidHintException if the settings have no quorum
   */
  public static ZooKeeperHintStore open(HintSettings settings, String role, String host) {
    return open(
        settings,
        Watching.ofThisProcess(role, host),
        Clock.systemUTC(),
        ZooKeeperTiming.standard());
  }

  static ZooKeeperHintStore open(
      HintSettings settings, Watching watching, Clock clock, ZooKeeperTiming timing) {
    if (!settings.isEnabled()) {
      throw new InvalidHintException(
          HintSettings.QUORUM_KEY
              + " is empty; write the ZooKeeper servers as host:port,host:port");
    }
    ZooKeeperHintStore store = new ZooKeeperHintStore(settings, watching, clock, timing);
    store.connection.start();
    return store;
  }

  @Override
  public long put(HintSet set) throws IOException {
    byte[] bytes = encode(set);
    return call(
        "write hint set '" + set.id() + "'", client -> setZnodes.put(client, set.id(), bytes));
  }

  @Override
  public long put(HintSet set, long expected) throws IOException {
    byte[] bytes = encode(set);
    return call(
        "write hint set '" + set.id() + "'",
        client -> setZnodes.put(client, set.id(), bytes, expected));
  }

  /** Refuses a set that no reader would follow. */
  private byte[] encode(HintSet set) throws IOException {
    if (!settings.access().isOpen() && settings.access().auth().isEmpty()) {
      throw new IOException(
          "cannot write hint set '"
              + set.id()
              + "': ZooKeeper lets only the hints service write; use the service, set "
              + StoreAccess.AUTH_KEY
              + ", or set "
              + StoreAccess.OPEN_KEY
              + " to true on all hosts");
    }
    return SetSerializer.encode(set);
  }

  @Override
  public boolean remove(String id) throws IOException {
    HintSet.requireId(id);
    return call("remove hint set '" + id + "'", client -> setZnodes.remove(client, id));
  }

  @Override
  public boolean remove(String id, long expected) throws IOException {
    HintSet.requireId(id);
    return call("remove hint set '" + id + "'", client -> setZnodes.remove(client, id, expected));
  }

  @Override
  public Optional<StoredSet> find(String id) throws IOException {
    HintSet.requireId(id);
    return call("read hint set '" + id + "'", client -> setZnodes.find(client, id));
  }

  @Override
  public Set<String> ids() throws IOException {
    return call("list the hint sets", setZnodes::ids);
  }

  @Override
  public HintIndex snapshot() {
    LiveIndex current = live;
    if (current.isStale(clock)) {
      requestLoad();
    }
    return current.index();
  }

  @Override
  public StoreStatus status() {
    LiveIndex current = live;
    boolean upToDate = loaded.getCount() == 0 && connection.isConnected();
    Duration age =
        upToDate ? Duration.ZERO : Duration.between(connection.lastConnected(), clock.instant());
    return new StoreStatus(
        upToDate,
        age.isNegative() ? Duration.ZERO : age,
        current.index().version(),
        current.index().setCount(),
        current.index().size(),
        new StoreStatus.Memory(current.index().bytes(), settings.memory(), reader.leftOut()),
        problem());
  }

  private @Nullable String problem() {
    int untrusted = reader.untrusted();
    return refused == null && untrusted > 0
        ? untrusted + " sets are not followed, because others may change them in ZooKeeper"
        : refused;
  }

  @Override
  public List<WatcherInfo> watchers() throws IOException {
    return call("list the watchers", applied::watchers);
  }

  @Override
  public boolean awaitLoaded(Duration timeout) throws InterruptedException {
    return loaded.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean awaitApplied(
      long version, String role, Predicate<WatcherInfo> filter, Duration timeout)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        return call(
            "wait for a " + role + " to apply the hints",
            Duration.ofNanos(Math.max(0, deadline - System.nanoTime())),
            client ->
                applied.await(
                    client, role, one -> one.version() >= version && filter.test(one), deadline));
      } catch (StoreUnavailableException e) {
        // The session ended during the wait. The connection opens another one.
        if (closed.get() || deadline - System.nanoTime() <= 0) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      executor.shutdownNow();
      watch.close();
      connection.close();
    }
  }

  /** Runs on the executor. */
  private void connected(CuratorFramework client) {
    try {
      aclProvider.restrict(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("Cannot restrict write access to the hint sets below {}", sets, e);
    }
    watch.markAll();
    watch.begin(client);
    requestLoad();
  }

  /** Several changes need only one load. */
  private void requestLoad() {
    if (loadRequested.compareAndSet(false, true)) {
      try {
        executor.execute(this::load);
      } catch (RejectedExecutionException e) {
        LOG.debug("The hint store is closed", e);
      }
    }
  }

  /** Covers a failure that is not followed by a change or a new session. */
  private void requestLoadLater() {
    try {
      Future<?> unused = executor.schedule(this::requestLoad, LOAD_RETRY_SECONDS, TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The hint store is closed", e);
    }
  }

  private void load() {
    loadRequested.set(false);
    @Nullable CuratorFramework client = connection.current();
    if (client == null) {
      dropExpired();
      return;
    }
    try {
      Instant now = clock.instant();
      HintIndex read = reader.read(client, live.at(now).index(), now);
      refused = null;
      live = LiveIndex.of(read);
      loaded.countDown();
      if (!watching.role().isEmpty()) {
        applied.publish(client, watching, read.version(), settings.access().isOpen());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      refused = e instanceof UntrustedStoreException ? e.getMessage() : null;
      if (!closed.get() && logLimit.permits()) {
        logFailure(e);
      }
      dropExpired();
      requestLoadLater();
    }
  }

  private void logFailure(Exception why) {
    String what = "Cannot read hints from {}; the previous ones stay in use";
    if (why instanceof KeeperException || why instanceof UntrustedStoreException) {
      // A stack trace adds nothing.
      LOG.warn(what + ": {}", sets, why.toString());
    } else {
      LOG.warn(what, sets, why);
    }
  }

  /** Removes expired sets from the index without a connection. */
  private void dropExpired() {
    Instant now = clock.instant();
    live = live.at(now);
  }

  private <T> T call(String what, Operation<T> operation) throws IOException {
    return call(what, NO_LIMIT, operation);
  }

  private <T> T call(String what, Duration timeout, Operation<T> operation) throws IOException {
    try {
      return operation.run(connection.client(timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted; did not " + what);
      interrupted.initCause(e);
      throw interrupted;
    } catch (VersionConflictException e) {
      throw e;
    } catch (NoAuthException e) {
      throw new IOException(
          "cannot "
              + what
              + ": ZooKeeper lets only the hints service write; use the service, or set "
              + StoreAccess.AUTH_KEY,
          e);
    } catch (StoreUnavailableException
        | ConnectionLossException
        | SessionExpiredException
        | OperationTimeoutException
        | IllegalStateException e) {
      // Curator throws IllegalStateException if the client was closed, as it is after its session
      // was lost.
      throw new StoreUnavailableException("cannot " + what + ": " + e.getMessage(), e);
    } catch (Exception e) {
      throw new IOException("cannot " + what + ": " + e.getMessage(), e);
    }
  }

  /**
   * What a watcher publishes about itself.
   *
   * @param role its role; empty if it publishes nothing
   * @param host its host name; empty if unknown
   */
  record Watching(String role, String host, long process) {
    /** Java 8 tells the process id only in the name of the virtual machine. */
    static Watching ofThisProcess(String role, String host) {
      String name = ManagementFactory.getRuntimeMXBean().getName();
      String digits = name.replaceFirst("@.*", "");
      return new Watching(role, host, digits.matches("\\d+") ? Long.parseLong(digits) : 0);
    }
  }

  /** An operation of a connected client. */
  @FunctionalInterface
  private interface Operation<T> {
    T run(CuratorFramework client) throws Exception;
  }
}

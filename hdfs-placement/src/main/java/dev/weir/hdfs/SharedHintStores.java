package dev.weir.hdfs;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreStatus;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.WatcherInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Shares one open store among all clients with the same settings. A daemon may have a file system
 * for each of its users. A ZooKeeper session for each of them would exhaust the connections that
 * ZooKeeper allows per address (60 by default) and lock out other processes of the host.
 * Thread-safe.
 */
final class SharedHintStores {
  private final Function<HintSettings, ? extends HintStore> opener;
  private final Map<HintSettings, Shared> stores = new HashMap<>();

  /**
   * Creates an object without open stores.
   *
   * @param opener opens a store without blocking
   */
  SharedHintStores(Function<HintSettings, ? extends HintStore> opener) {
    this.opener = opener;
  }

  /** Opens the store of these settings. The store is closed when every handle has been closed. */
  HintStore open(HintSettings settings) {
    synchronized (stores) {
      Shared shared = stores.get(settings);
      if (shared == null) {
        shared = new Shared(settings, opener.apply(settings));
        stores.put(settings, shared);
      }
      shared.handles++;
      return new Handle(shared);
    }
  }

  private void release(Shared shared) {
    synchronized (stores) {
      shared.handles--;
      if (shared.handles > 0) {
        return;
      }
      stores.remove(shared.settings);
    }
    shared.store.close();
  }

  /** A store and the number of its handles, guarded by the map. */
  private static final class Shared {
    private final HintSettings settings;
    private final HintStore store;
    private int handles;

    Shared(HintSettings settings, HintStore store) {
      this.settings = settings;
      this.store = store;
    }
  }

  private final class Handle implements HintStore {
    private final Shared shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    Handle(Shared shared) {
      this.shared = shared;
    }

    @Override
    public long put(HintSet set) throws IOException {
      return shared.store.put(set);
    }

    @Override
    public boolean remove(String id) throws IOException {
      return shared.store.remove(id);
    }

    @Override
    public long put(HintSet set, long expected) throws IOException {
      return shared.store.put(set, expected);
    }

    @Override
    public boolean remove(String id, long expected) throws IOException {
      return shared.store.remove(id, expected);
    }

    @Override
    public Optional<StoredSet> find(String id) throws IOException {
      return shared.store.find(id);
    }

    @Override
    public StoreStatus status() {
      return shared.store.status();
    }

    @Override
    public Set<String> ids() throws IOException {
      return shared.store.ids();
    }

    @Override
    public List<WatcherInfo> watchers() throws IOException {
      return shared.store.watchers();
    }

    @Override
    public HintIndex snapshot() {
      return shared.store.snapshot();
    }

    @Override
    public Watch watch(Consumer<HintIndex> consumer) {
      return shared.store.watch(consumer);
    }

    @Override
    public boolean awaitLoaded(Duration timeout) throws InterruptedException {
      return shared.store.awaitLoaded(timeout);
    }

    @Override
    public boolean awaitApplied(
        long version, String role, Predicate<WatcherInfo> who, Duration timeout)
        throws IOException, InterruptedException {
      return shared.store.awaitApplied(version, role, who, timeout);
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release(shared);
      }
    }
  }
}

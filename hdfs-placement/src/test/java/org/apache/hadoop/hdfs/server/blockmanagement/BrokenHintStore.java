package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreStatus;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.WatcherInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A store whose reads fail. */
final class BrokenHintStore implements HintStore {

  @Override
  public HintIndex snapshot() {
    throw new IllegalStateException("broken index");
  }

  @Override
  public boolean awaitLoaded(Duration timeout) {
    return true;
  }

  @Override
  public long put(HintSet set) {
    throw new UnsupportedOperationException("this store is not written");
  }

  @Override
  public boolean remove(String id) {
    throw new UnsupportedOperationException("this store is not written");
  }

  @Override
  public long put(HintSet set, long expected) {
    throw new UnsupportedOperationException("this store is not written");
  }

  @Override
  public boolean remove(String id, long expected) {
    throw new UnsupportedOperationException("this store is not written");
  }

  @Override
  public StoreStatus status() {
    throw new IllegalStateException("broken status");
  }

  @Override
  public Set<String> ids() {
    throw new UnsupportedOperationException("this store is not listed");
  }

  @Override
  public List<WatcherInfo> watchers() {
    throw new UnsupportedOperationException("this store is not listed");
  }

  @Override
  public Optional<StoredSet> find(String id) {
    throw new UnsupportedOperationException("this store is not read");
  }

  @Override
  public boolean awaitApplied(
      long version, String role, Predicate<WatcherInfo> who, Duration timeout) {
    throw new UnsupportedOperationException("this store is not awaited");
  }

  @Override
  public void close() {}
}

package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hints.HintIndex;
import dev.weir.hints.HintSet;
import dev.weir.hints.store.HintStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A store that throws whatever is asked of it. */
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
    throw new UnsupportedOperationException("nobody writes here");
  }

  @Override
  public boolean remove(String id) {
    throw new UnsupportedOperationException("nobody removes here");
  }

  @Override
  public Optional<HintSet> get(String id) {
    throw new UnsupportedOperationException("nobody reads here");
  }

  @Override
  public Watch watch(Consumer<HintIndex> consumer) {
    throw new UnsupportedOperationException("nobody watches here");
  }

  @Override
  public boolean awaitApplied(long version, String role, Duration timeout) {
    throw new UnsupportedOperationException("nobody waits here");
  }

  @Override
  public void close() {}
}

package dev.weir.hints.store;

import dev.weir.hints.index.HintIndex;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumers that are told of each index, one after the other, on one thread. */
final class IndexListeners {
  private static final Logger LOG = LoggerFactory.getLogger(IndexListeners.class);

  private final List<Consumer<HintIndex>> consumers = new CopyOnWriteArrayList<>();

  /** Adds a consumer and has the executor tell it of the present. */
  HintStore.Watch add(Consumer<HintIndex> consumer, Executor executor, Runnable tellPresent) {
    try {
      executor.execute(
          () -> {
            consumers.add(consumer);
            tellPresent.run();
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Watch of a closed hint store: nothing will be told", e);
    }
    return () -> remove(consumer, executor);
  }

  void tell(HintIndex index) {
    for (Consumer<HintIndex> consumer : consumers) {
      tell(consumer, index);
    }
  }

  static void tell(Consumer<HintIndex> consumer, HintIndex index) {
    try {
      consumer.accept(index);
    } catch (RuntimeException e) {
      LOG.warn("A watcher of the hints failed at version {}; it misses it", index.version(), e);
    }
  }

  private void remove(Consumer<HintIndex> consumer, Executor executor) {
    try {
      executor.execute(() -> consumers.remove(consumer));
    } catch (RejectedExecutionException e) {
      LOG.debug("The hint store was closed before its watch", e);
    }
  }
}

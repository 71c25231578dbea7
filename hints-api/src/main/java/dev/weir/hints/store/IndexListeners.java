package dev.weir.hints.store;

import dev.weir.hints.index.HintIndex;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumers that are notified of each index, one at a time on one thread. */
final class IndexListeners {
  private static final Logger LOG = LoggerFactory.getLogger(IndexListeners.class);

  private final List<Consumer<HintIndex>> consumers = new CopyOnWriteArrayList<>();

  /** Adds a consumer and notifies it of the current index on the executor. */
  HintStore.Watch add(Consumer<HintIndex> consumer, Executor executor, Runnable deliverCurrent) {
    try {
      executor.execute(
          () -> {
            consumers.add(consumer);
            deliverCurrent.run();
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("The hint store is closed; the consumer will not be notified", e);
    }
    return () -> remove(consumer, executor);
  }

  void deliverAll(HintIndex index) {
    for (Consumer<HintIndex> consumer : consumers) {
      deliver(consumer, index);
    }
  }

  static void deliver(Consumer<HintIndex> consumer, HintIndex index) {
    try {
      consumer.accept(index);
    } catch (RuntimeException e) {
      LOG.warn("A consumer of the hints failed at version {} and skips it", index.version(), e);
    }
  }

  private void remove(Consumer<HintIndex> consumer, Executor executor) {
    try {
      executor.execute(() -> consumers.remove(consumer));
    } catch (RejectedExecutionException e) {
      LOG.debug("The hint store was closed before the subscription", e);
    }
  }
}

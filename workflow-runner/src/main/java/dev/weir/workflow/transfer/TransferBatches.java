package dev.weir.workflow.transfer;

import dev.weir.workflow.transfer.DataStore.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Starts the transfers of a task's inputs, tiny ones in batches. With few inputs there are no
 * batches: one thread each is faster. Confined to one thread.
 */
final class TransferBatches {

  /** Batches per thread: with one each, a thread could get all files of a slow DataNode. */
  private static final int BATCHES_PER_THREAD = 2;

  private static final long MAX_BATCH_BYTES = 1 << 20;

  private final DataStore store;
  private final Transfers threads;
  private final int batchSize;
  private final Map<String, Batch> incomplete = new HashMap<>();
  private final List<Future<?>> started = new ArrayList<>();

  TransferBatches(DataStore store, Transfers threads, int inputs) {
    this.store = store;
    this.threads = threads;
    this.batchSize =
        Math.min(DataStore.MAX_BATCH, inputs / (BATCHES_PER_THREAD * Transfers.THREADS));
  }

  private static final class Batch {

    private final List<Source> sources = new ArrayList<>();
    private final List<FutureTask<?>> transfers = new ArrayList<>();
    private long bytes;
  }

  /**
   * Starts a transfer, or adds it to a batch.
   *
   * @param source what it fetches; null for a region or a missing file
   */
  void add(@Nullable Source source, FutureTask<?> transfer) {
    if (source == null || batchSize <= 1 || source.batchKey().isEmpty()) {
      threads.executorFor(source).execute(transfer);
      return;
    }
    Batch batch = incomplete.computeIfAbsent(source.batchKey(), key -> new Batch());
    batch.sources.add(source);
    batch.transfers.add(transfer);
    batch.bytes += source.version().map(DataStore.Version::length).orElse(0L);
    if (batch.sources.size() == batchSize || batch.bytes >= MAX_BATCH_BYTES) {
      incomplete.remove(source.batchKey());
      start(batch);
    }
  }

  /** Starts the incomplete batches. */
  void startRest() {
    incomplete.values().forEach(this::start);
    incomplete.clear();
  }

  private void start(Batch batch) {
    started.add(threads.small().submit(() -> fetch(batch)));
  }

  private void fetch(Batch batch) {
    try {
      store.readBatch(batch.sources);
    } finally {
      batch.transfers.forEach(FutureTask::run);
    }
  }

  /** Cancels the batches; the caller cancels the transfers. */
  void cancel() {
    started.forEach(batch -> batch.cancel(true));
  }
}

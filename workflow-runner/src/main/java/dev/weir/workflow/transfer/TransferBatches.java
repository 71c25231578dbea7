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
 * Starts the transfers of a task's inputs; those that are less work together, in bunches. Of few
 * inputs none are put together: so many threads are faster. For one thread.
 */
final class TransferBatches {

  /** Each of the threads has more than one, so that none is left with all of a slow DataNode's. */
  private static final int EACH_THREAD = 2;

  private static final long MOST_BYTES = 1 << 20;

  private final DataStore store;
  private final Transfers threads;
  private final int most;
  private final Map<String, Bunch> filling = new HashMap<>();
  private final List<Future<?>> started = new ArrayList<>();

  /**
   * None yet.
   *
   * @param inputs how many there are
   */
  TransferBatches(DataStore store, Transfers threads, int inputs) {
    this.store = store;
    this.threads = threads;
    this.most = Math.min(DataStore.MOST_TOGETHER, inputs / (EACH_THREAD * Transfers.EACH));
  }

  private static final class Bunch {

    private final List<Source> sources = new ArrayList<>();
    private final List<FutureTask<?>> transfers = new ArrayList<>();
    private long bytes;
  }

  /**
   * Starts a transfer, or keeps it for others to be started with.
   *
   * @param source what it fetches; null for what is no whole file, or is not there
   */
  void add(@Nullable Source source, FutureTask<?> transfer) {
    if (source == null || most <= 1 || source.together().isEmpty()) {
      threads.bringing(source).execute(transfer);
      return;
    }
    Bunch bunch = filling.computeIfAbsent(source.together(), where -> new Bunch());
    bunch.sources.add(source);
    bunch.transfers.add(transfer);
    bunch.bytes += source.version().map(DataStore.Version::length).orElse(0L);
    if (bunch.sources.size() == most || bunch.bytes >= MOST_BYTES) {
      filling.remove(source.together());
      start(bunch);
    }
  }

  /** Starts what was kept. */
  void startRest() {
    filling.values().forEach(this::start);
    filling.clear();
  }

  private void start(Bunch bunch) {
    started.add(threads.small().submit(() -> fetch(bunch)));
  }

  private void fetch(Bunch bunch) {
    try {
      store.readTogether(bunch.sources);
    } finally {
      bunch.transfers.forEach(FutureTask::run);
    }
  }

  /** Nobody wants them any more; what goes on in the transfers themselves is the caller's. */
  void cancel() {
    started.forEach(bunch -> bunch.cancel(true));
  }
}

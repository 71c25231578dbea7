package dev.weir.workflow.rpc;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the channels of workers that are silent for too long, so that they count as lost. It counts
 * the time in which this process ran, because its own pauses are not the workers' silence.
 */
final class WorkerLivenessMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerLivenessMonitor.class);

  /** Checks during one poll interval. */
  private static final int CHECKS_PER_POLL = 8;

  private final RpcConfig config;
  private final Supplier<List<WorkerChannel>> open;

  /**
   * Creates a monitor, not started.
   *
   * @param config has the limit of silence
   * @param open returns the open channels
   */
  WorkerLivenessMonitor(RpcConfig config, Supplier<List<WorkerChannel>> open) {
    this.config = config;
    this.open = open;
  }

  /** Starts periodic checks, which end with the threads. */
  void start(ScheduledExecutorService threads) {
    long millis = Math.max(1, config.pollMillis() / CHECKS_PER_POLL);
    var unused =
        threads.scheduleWithFixedDelay(() -> check(millis), millis, millis, TimeUnit.MILLISECONDS);
  }

  private void check(long millis) {
    try {
      open.get().forEach(channel -> check(channel, millis));
    } catch (OutOfMemoryError e) {
      LOG.error("Cannot check whether workers are alive", e);
    }
  }

  /** Never throws, because an exception would end the periodic checks. */
  private void check(WorkerChannel channel, long millis) {
    try {
      channel.checkSilence(millis, config);
    } catch (RuntimeException | Error e) {
      LOG.error("Cannot check whether {} is alive", channel.worker(), e);
    }
  }
}

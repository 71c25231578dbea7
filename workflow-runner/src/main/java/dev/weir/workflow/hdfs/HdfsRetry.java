package dev.weir.workflow.hdfs;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries calls that fail because HDFS is in safe mode or its NameNode is unavailable. A NameNode's
 * restart, or an administrator's maintenance, must not fail a run. Immutable.
 */
public final class HdfsRetry {

  /** A quarter of an hour: a large NameNode takes minutes to receive its block reports. */
  public static final HdfsRetry DEFAULT = of(Duration.ofMinutes(15), HdfsOutages::isOutage);

  private static final Logger LOG = LoggerFactory.getLogger(HdfsRetry.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  private final Duration limit;
  private final Sleeper sleeper;
  private final Predicate<IOException> retryable;
  private final LongSupplier nanoTime;

  /** Waits. */
  public interface Sleeper {

    /** Returns after this number of milliseconds. */
    void sleep(long millis) throws InterruptedException;
  }

  /** The work to retry. */
  public interface Work<T> {

    /** Does the work, perhaps repeatedly. */
    T get() throws IOException, InterruptedException;
  }

  /**
   * Creates a policy with another way to wait.
   *
   * @param limit total length of the pauses
   */
  public HdfsRetry(Duration limit, Sleeper sleeper) {
    this(limit, sleeper, DEFAULT.retryable, System::nanoTime);
  }

  /**
   * Creates a policy.
   *
   * @param limit how long it retries after the first failure, and the total length of the pauses
   * @param retryable selects the failures that a retry may resolve
   */
  HdfsRetry(
      Duration limit, Sleeper sleeper, Predicate<IOException> retryable, LongSupplier nanoTime) {
    this.limit = limit;
    this.sleeper = sleeper;
    this.retryable = retryable;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns a policy for some failures.
   *
   * @param limit how long it retries after the first failure
   * @param retryable selects the failures that a retry may resolve
   */
  public static HdfsRetry of(Duration limit, Predicate<IOException> retryable) {
    return new HdfsRetry(limit, TimeUnit.MILLISECONDS::sleep, retryable, System::nanoTime);
  }

  /**
   * Does work, and repeats it while a retry may succeed and the limit is not reached. A call to a
   * host that is down takes longer than a pause, so its time counts, too.
   *
   * @param work the work; a failed try must not hinder the next one
   * @return the result of the work
   * @throws IOException when a failure is not retryable or the limit is reached
   */
  public <T> T through(Work<T> work) throws IOException, InterruptedException {
    long waited = 0;
    long pause = FIRST_PAUSE_MILLIS;
    long began = 0;
    while (true) {
      try {
        return work.get();
      } catch (IOException e) {
        long now = nanoTime.getAsLong();
        began = waited == 0 ? now : began;
        if (!retryable.test(e) || waited >= limit.toMillis() || now - began >= limit.toNanos()) {
          throw e;
        }
        LOG.info("HDFS is not available; retrying in {} ms: {}", pause, e.getMessage());
        sleeper.sleep(pause);
        waited += pause;
        pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
      }
    }
  }

  /**
   * Does work without a result as {@link #through} does.
   *
   * @throws IOException when a failure is not retryable or the limit is reached
   */
  public void run(InvocationRaisingIOE action) throws IOException, InterruptedException {
    String unused =
        through(
            () -> {
              action.apply();
              return "";
            });
  }
}

package dev.weir.workflow.hdfs;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does again what HDFS refuses because it is in safe mode or its NameNode is not there, until that
 * is over: a NameNode that is started again, or an administrator who looks after something, is no
 * reason to fail a run. Immutable.
 */
public final class HdfsRetry {

  /** A quarter of an hour: a large NameNode takes minutes to hear of its blocks. */
  public static final HdfsRetry DEFAULT = of(Duration.ofMinutes(15), HdfsOutages::isOne);

  private static final Logger LOG = LoggerFactory.getLogger(HdfsRetry.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final Duration most;
  private final Sleeper sleeper;
  private final Predicate<IOException> passing;
  private final LongSupplier nanoTime;

  /** Waits. */
  public interface Sleeper {

    /** Returns after some milliseconds. */
    void sleep(long millis) throws InterruptedException;
  }

  /**
   * What is done.
   *
   * @param <T> what comes of it
   */
  public interface Work<T> {

    /**
     * Does it, perhaps not for the first time.
     *
     * @return what comes of it
     * @throws IOException when it fails
     */
    T get() throws IOException;
  }

  /**
   * Patience of a length.
   *
   * @param most how long the pauses are together
   */
  public HdfsRetry(Duration most, Sleeper sleeper) {
    this(most, sleeper, DEFAULT.passing, System::nanoTime);
  }

  /**
   * Patience of a length.
   *
   * @param most how long it lasts from the first failure, and how long the pauses are together
   * @param passing what may be better at another try
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  HdfsRetry(Duration most, Sleeper sleeper, Predicate<IOException> passing, LongSupplier nanoTime) {
    this.most = most;
    this.sleeper = sleeper;
    this.passing = passing;
    this.nanoTime = nanoTime;
  }

  /**
   * Patience with what somebody is patient with.
   *
   * @param most how long it lasts from the first failure
   * @param passing what may be better at another try
   * @return it
   */
  public static HdfsRetry of(Duration most, Predicate<IOException> passing) {
    return new HdfsRetry(most, TimeUnit.MILLISECONDS::sleep, passing, System::nanoTime);
  }

  /**
   * Does something, and again as long as that may help and the patience lasts. A call to a host
   * that is down takes longer than a pause, and counts.
   *
   * @param work what is done; what a try has left behind must not be in the way of the next
   * @param <T> what comes of it
   * @return what came of it
   * @throws IOException what the work says for another reason, or in the end
   * @throws InterruptedException when interrupted while it waits
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
        if (!passing.test(e) || waited >= most.toMillis() || now - began >= most.toNanos()) {
          throw e;
        }
        LOG.info("HDFS does not do it now; trying again in {} ms: {}", pause, e.getMessage());
        sleeper.sleep(pause);
        waited += pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /** What is done for its own sake. */
  public interface Action {

    /**
     * Does it, perhaps not for the first time.
     *
     * @throws IOException when it fails
     */
    void run() throws IOException;
  }

  /**
   * Does something of which nothing comes, as {@link #through} does.
   *
   * @param action what is done
   * @throws IOException what it says for another reason, or in the end
   * @throws InterruptedException when interrupted while it waits
   */
  public void run(Action action) throws IOException, InterruptedException {
    String unused =
        through(
            () -> {
              action.run();
              return "";
            });
  }
}

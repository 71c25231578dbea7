package dev.weir.workflow.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does again what HDFS refuses because it is in safe mode, until safe mode is over: a NameNode that
 * was started again, or an administrator who looks after something, is no reason to fail a run.
 * Immutable.
 */
public final class Patience {

  /** A quarter of an hour: a large NameNode takes minutes to hear of its blocks. */
  public static final Patience DEFAULT =
      new Patience(Duration.ofMinutes(15), TimeUnit.MILLISECONDS::sleep);

  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final Duration most;
  private final Sleeper sleeper;
  private final Predicate<IOException> passing;

  /** Waits. */
  interface Sleeper {

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
  Patience(Duration most, Sleeper sleeper) {
    this(most, sleeper, Patience::isSafeMode);
  }

  private Patience(Duration most, Sleeper sleeper, Predicate<IOException> passing) {
    this.most = most;
    this.sleeper = sleeper;
    this.passing = passing;
  }

  /**
   * Patience with more than safe mode, for what nothing can go on without.
   *
   * @param most how long the pauses are together
   * @param passing what may be better at another try
   * @return it
   */
  public static Patience of(Duration most, Predicate<IOException> passing) {
    return new Patience(most, TimeUnit.MILLISECONDS::sleep, passing);
  }

  /**
   * Does something, and again as long as that may help (HDFS is in safe mode) and the patience lasts.
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
    while (true) {
      try {
        return work.get();
      } catch (IOException e) {
        if (!passing.test(e) || waited >= most.toMillis()) {
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

  /**
   * Whether something failed because HDFS is in safe mode.
   *
   * @param problem what it failed with
   * @return whether
   */
  public static boolean isSafeMode(Throwable problem) {
    return Trouble.chain(problem).anyMatch(Patience::saysSafeMode);
  }

  private static boolean saysSafeMode(Throwable problem) {
    return problem instanceof SafeModeException
        || (problem instanceof RemoteException remote
            && SafeModeException.class.getName().equals(remote.getClassName()));
  }
}

package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.run.MasterAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the ApplicationMaster where the run's directory says that it is, for as long as it says
 * that YARN may need to start one. What is found there may be the one that is gone, which does not
 * answer. For one thread.
 */
final class MasterSearch implements MasterLink.Search {

  private static final Logger LOG = LoggerFactory.getLogger(MasterSearch.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** Of one that has not come by then nobody knows how long it takes: a NameNode is asked less. */
  private static final long SOON_MILLIS = 30_000;

  private static final long LATER_PAUSE_MILLIS = 5_000;

  private final Directory directory;
  private final Dialler dialler;
  private final Patience.Sleeper sleeper;
  private final LongSupplier nanoTime;
  private final DoubleSupplier random;
  private final long patienceMillis;

  /** The run's directory. */
  interface Directory {

    /**
     * Where the ApplicationMaster is.
     *
     * @throws FileNotFoundException when nobody says so: the run is over, or no other comes
     * @throws IOException when it cannot be read now
     */
    MasterAddress address() throws IOException;
  }

  /** Connects. */
  interface Dialler {

    /**
     * Connects.
     *
     * @return a connection, not yet started
     * @throws IOException when nobody answers, or who answers is not of this run
     */
    Connection dial(String host, int port) throws IOException;
  }

  /**
   * A search.
   *
   * @param sleeper waits between two tries
   * @param nanoTime the time, as of {@link System#nanoTime}
   * @param random numbers from 0 up to 1: not all workers of a run look at the same time
   * @param patienceMillis how long to look while the directory has not said it
   */
  MasterSearch(
      Directory directory,
      Dialler dialler,
      Patience.Sleeper sleeper,
      LongSupplier nanoTime,
      DoubleSupplier random,
      long patienceMillis) {
    this.directory = directory;
    this.dialler = dialler;
    this.sleeper = sleeper;
    this.nanoTime = nanoTime;
    this.random = random;
    this.patienceMillis = patienceMillis;
  }

  @Override
  public @Nullable Connection find() throws InterruptedException {
    long began = nanoTime.getAsLong();
    long patience = patienceMillis;
    long elapsed = 0;
    while (elapsed <= patience) {
      // Also before the first try: one that has sent this worker away must not be asked at once.
      sleeper.sleep(pauseMillis(elapsed));
      try {
        MasterAddress address = directory.address();
        patience = address.patienceMillis();
        if (address.port() > 0) {
          return dialler.dial(address.host(), address.port());
        }
        LOG.debug("The next ApplicationMaster is there, and takes nobody in yet");
      } catch (FileNotFoundException e) {
        LOG.info("No other ApplicationMaster is to be expected: {}", e.getMessage());
        return null;
      } catch (IOException e) {
        LOG.debug("No ApplicationMaster yet", e);
      }
      elapsed = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began);
    }
    LOG.warn("No other ApplicationMaster has come in {} ms", patience);
    return null;
  }

  private long pauseMillis(long elapsed) {
    long pause = elapsed < SOON_MILLIS ? PAUSE_MILLIS : LATER_PAUSE_MILLIS;
    return Math.round(pause * (random.getAsDouble() + 1) / 2);
  }
}

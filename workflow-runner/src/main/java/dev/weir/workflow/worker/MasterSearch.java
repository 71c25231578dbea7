package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.run.MasterAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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

  /** How long to look while the run's directory cannot be read. */
  private static final long BLIND_MILLIS = 120_000;

  private final Directory directory;
  private final Dialler dialler;
  private final Patience.Sleeper sleeper;
  private final LongSupplier nanoTime;

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
   */
  MasterSearch(
      Directory directory, Dialler dialler, Patience.Sleeper sleeper, LongSupplier nanoTime) {
    this.directory = directory;
    this.dialler = dialler;
    this.sleeper = sleeper;
    this.nanoTime = nanoTime;
  }

  @Override
  public @Nullable Connection find() throws InterruptedException {
    long began = nanoTime.getAsLong();
    long patience = BLIND_MILLIS;
    while (TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began) <= patience) {
      // Also before the first try: one that has sent this worker away must not be asked at once.
      sleeper.sleep(PAUSE_MILLIS);
      try {
        MasterAddress address = directory.address();
        patience = address.patienceMillis();
        return dialler.dial(address.host(), address.port());
      } catch (FileNotFoundException e) {
        LOG.info("No other ApplicationMaster is to be expected: {}", e.getMessage());
        return null;
      } catch (IOException e) {
        LOG.debug("No ApplicationMaster yet", e);
      }
    }
    LOG.warn("No other ApplicationMaster has come in {} ms", patience);
    return null;
  }
}

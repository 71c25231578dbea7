package dev.weir.workflow.worker;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.rpc.MasterConnection;
import dev.weir.workflow.staging.MasterAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.BiFunctionRaisingIOE;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches for the next ApplicationMaster at the address in the run's directory. The directory also
 * states how long YARN may need to start one, which limits the search. The address may still be
 * that of the lost ApplicationMaster, which does not answer. Without an address, the last
 * ApplicationMaster is tried again, because it may only be slow or cut off. Confined to one thread.
 */
final class MasterSearch implements MasterLink.Search {

  private static final Logger LOG = LoggerFactory.getLogger(MasterSearch.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** After this time the start may take arbitrarily long, and the NameNode is asked less often. */
  private static final long SOON_MILLIS = 30_000;

  private static final long LATER_PAUSE_MILLIS = 5_000;

  private final CallableRaisingIOE<MasterAddress> directory;
  private final BiFunctionRaisingIOE<String, Integer, MasterConnection> dialler;
  private final HdfsRetry.Sleeper sleeper;
  private final LongSupplier nanoTime;
  private final DoubleSupplier random;
  private final long patienceMillis;
  private final long silenceMillis;
  private InetSocketAddress last;

  /**
   * Creates a search.
   *
   * @param directory returns the address that the run's directory states; throws a {@link
   *     FileNotFoundException} when there is none: the run is over, or no other will start
   * @param dialler returns a connection that is not started; throws a {@link ConnectException} when
   *     no process listens there
   * @param random numbers from 0 up to 1, so that not all workers of a run look at the same time
   * @param patienceMillis how long to search until the directory states it
   * @param silenceMillis how long the last ApplicationMaster keeps the session of this worker
   * @param first address of the ApplicationMaster that has started this worker
   */
  MasterSearch(
      CallableRaisingIOE<MasterAddress> directory,
      BiFunctionRaisingIOE<String, Integer, MasterConnection> dialler,
      HdfsRetry.Sleeper sleeper,
      LongSupplier nanoTime,
      DoubleSupplier random,
      long patienceMillis,
      long silenceMillis,
      InetSocketAddress first) {
    this.directory = directory;
    this.dialler = dialler;
    this.sleeper = sleeper;
    this.nanoTime = nanoTime;
    this.random = random;
    this.patienceMillis = patienceMillis;
    this.silenceMillis = silenceMillis;
    this.last = first;
  }

  /** Connects to the ApplicationMaster that has started this worker. */
  MasterConnection first() throws IOException {
    return dialler.apply(last.getHostString(), last.getPort());
  }

  @Override
  public @Nullable MasterConnection find() throws InterruptedException {
    long began = nanoTime.getAsLong();
    long patience = patienceMillis;
    long elapsed = 0;
    boolean mayBeThere = true;
    while (elapsed <= patience || mayBeThere) {
      // Also before the first try: an ApplicationMaster that has rejected this worker must not be
      // asked again at once.
      sleeper.sleep(pauseMillis(elapsed));
      boolean isExpected = true;
      try {
        MasterAddress address = directory.apply();
        patience = address.patienceMillis();
        if (address.port() > 0) {
          return dial(new InetSocketAddress(address.host(), address.port()));
        }
        LOG.debug("The next ApplicationMaster has started, and accepts no workers yet");
        mayBeThere = false;
      } catch (FileNotFoundException e) {
        LOG.debug("No other ApplicationMaster is expected", e);
        isExpected = false;
      } catch (IOException e) {
        LOG.debug("No ApplicationMaster yet", e);
      }
      try {
        if (mayBeThere) {
          return dial(last);
        }
      } catch (ConnectException e) {
        LOG.debug("The last ApplicationMaster is gone", e);
        mayBeThere = false;
      } catch (IOException e) {
        LOG.debug("The last ApplicationMaster does not answer", e);
      }
      elapsed = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began);
      mayBeThere &= elapsed <= silenceMillis;
      if (!isExpected && !mayBeThere) {
        LOG.info("No other ApplicationMaster is expected");
        return null;
      }
    }
    LOG.warn("No other ApplicationMaster was found in {} ms", patience);
    return null;
  }

  private MasterConnection dial(InetSocketAddress address) throws IOException {
    MasterConnection connection = dialler.apply(address.getHostString(), address.getPort());
    last = address;
    return connection;
  }

  private long pauseMillis(long elapsed) {
    long pause = elapsed < SOON_MILLIS ? PAUSE_MILLIS : LATER_PAUSE_MILLIS;
    return Math.round(pause * (random.getAsDouble() + 1) / 2);
  }
}

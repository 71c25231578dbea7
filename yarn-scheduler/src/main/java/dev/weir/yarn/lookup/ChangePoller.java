package dev.weir.yarn.lookup;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes cached locations of files that have changed, as long as the cache has entries. Without a
 * source of changes, entries expire by age alone. Runs in a separate thread.
 */
public final class ChangePoller implements Runnable, AutoCloseable {

  private static final long EVERY_MILLIS = 1_000;

  /** The pause after a failure, in milliseconds. */
  private static final long PAUSE_MILLIS = 30_000;

  /** The most requests without a pause between them, if there are many changes. */
  private static final int MAX_REQUESTS_AT_ONCE = 5;

  /** An answer with fewer paths is complete. */
  private static final int PAGE_SIZE = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(ChangePoller.class);

  private final ChangeSource source;
  private final LocationCache locations;
  private final long everyMillis;
  private final long pauseMillis;
  private final CountDownLatch closed = new CountDownLatch(1);

  public ChangePoller(ChangeSource source, LocationCache locations) {
    this(source, locations, EVERY_MILLIS, PAUSE_MILLIS);
  }

  /**
   * Creates a poller with given intervals.
   *
   * @param everyMillis the interval between requests
   * @param pauseMillis the interval after a failure
   */
  public ChangePoller(
      ChangeSource source, LocationCache locations, long everyMillis, long pauseMillis) {
    this.source = source;
    this.locations = locations;
    this.everyMillis = everyMillis;
    this.pauseMillis = pauseMillis;
  }

  /** Returns when the poller is closed or the source has no changes to report. */
  @Override
  public void run() {
    long pause = everyMillis;
    try {
      while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
        pause = pollIfNeeded();
      }
    } catch (ChangeSource.NotFollowedException e) {
      LOG.info("Cached file locations expire by age alone: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      source.close();
    }
  }

  /** Polls once if the cache has entries. Returns the time until the next poll. */
  long pollIfNeeded() throws ChangeSource.NotFollowedException, InterruptedException {
    return locations.size() == 0 ? everyMillis : poll();
  }

  private long poll() throws ChangeSource.NotFollowedException, InterruptedException {
    try {
      for (int i = 0; i < MAX_REQUESTS_AT_ONCE; i++) {
        List<String> changed = source.next();
        locations.invalidate(changed);
        if (changed.size() < PAGE_SIZE) {
          break;
        }
      }
      return everyMillis;
    } catch (ChangeSource.NotFollowedException | InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      // An Error that leaves this thread would end the ResourceManager.
      LOG.debug("Cannot get changed files now", e);
      return pauseMillis;
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

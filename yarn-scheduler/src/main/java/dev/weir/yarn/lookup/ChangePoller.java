package dev.weir.yarn.lookup;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the cache forget where files are that have changed, as long as it knows of any. Where nobody
 * tells what has changed, answers go by their age alone. For a thread of its own.
 */
public final class ChangePoller implements Runnable, AutoCloseable {

  private static final long EVERY_MILLIS = 1_000;

  /** After a failure. */
  private static final long PAUSE_MILLIS = 30_000;

  /** Questions without a pause between them, when there is much to tell. */
  private static final int AT_ONCE = 5;

  /** Fewer paths than this are all that there was to tell. */
  private static final int MANY = 1_000;

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
   * Follows more or less closely.
   *
   * @param everyMillis how often it is asked
   * @param pauseMillis when it is asked again after a failure
   */
  public ChangePoller(
      ChangeSource source, LocationCache locations, long everyMillis, long pauseMillis) {
    this.source = source;
    this.locations = locations;
    this.everyMillis = everyMillis;
    this.pauseMillis = pauseMillis;
  }

  /** Returns when it is closed, or there is nobody to ask. */
  @Override
  public void run() {
    long pause = everyMillis;
    try {
      while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
        pause = followIfNeeded();
      }
    } catch (ChangeSource.NotFollowedException e) {
      LOG.info("Where files are is known by age alone: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      source.close();
    }
  }

  /** Asks once, if there is anything to forget; how long to wait before the next time. */
  long followIfNeeded() throws ChangeSource.NotFollowedException, InterruptedException {
    return locations.size() == 0 ? everyMillis : follow();
  }

  private long follow() throws ChangeSource.NotFollowedException, InterruptedException {
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        List<String> changed = source.next();
        locations.forget(changed);
        if (changed.size() < MANY) {
          break;
        }
      }
      return everyMillis;
    } catch (ChangeSource.NotFollowedException | InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      // An Error that left this thread would end the ResourceManager.
      LOG.debug("What has changed is not told now", e);
      return pauseMillis;
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

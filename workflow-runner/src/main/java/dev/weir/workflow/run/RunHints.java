package dev.weir.workflow.run;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.hints.HintPublisher;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a run's hints published, in the background, because that takes about as long as YARN's
 * first containers. Hints are advice: failures become notes, and every wait is bounded. One thread
 * starts, awaits and closes them; any thread may query them.
 */
public final class RunHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunHints.class);

  /** Extensions per life of a set. Some may fail without the hints expiring. */
  private static final int EXTENSIONS = 4;

  private final FunctionRaisingIOE<Consumer<String>, Optional<HintPublisher>> opener;
  private final HintSet hints;
  private final Clock clock;
  private final CountDownLatch registered = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile boolean inForce;
  private volatile boolean left;
  private volatile boolean closed;

  /**
   * Creates hints that are not published yet.
   *
   * @param opener opens the publisher, with a receiver of messages for the user; empty for none
   * @param hints the set; its expiry is set when it is published
   */
  RunHints(
      FunctionRaisingIOE<Consumer<String>, Optional<HintPublisher>> opener,
      HintSet hints,
      Clock clock) {
    this.opener = opener;
    this.hints = hints;
    this.clock = clock;
  }

  /** Opens the publisher for the hints service or the store that the configuration names. */
  static Optional<HintPublisher> publisher(
      Configuration conf, URI fileSystem, Consumer<String> notes) throws IOException {
    try {
      Optional<HintPublisher> publisher = HintPublisher.of(conf, fileSystem);
      if (publisher.isEmpty()) {
        notes.accept(
            HintPublisher.WITHOUT
                + ClientSettings.URL_KEY
                + " is not set on this cluster: only the hints service may write hints");
      }
      return publisher;
    } catch (InvalidHintException e) {
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Starts to publish; to be called once.
   *
   * @param notes receives messages for the user
   */
  public void start(Consumer<String> notes) {
    Thread fresh = DaemonThreadFactory.named("run-hints").newThread(() -> publish(notes));
    thread = fresh;
    fresh.start();
  }

  private void publish(Consumer<String> notes) {
    try {
      Optional<HintPublisher> opened = opener.apply(notes);
      if (opened.isPresent()) {
        try (HintPublisher publisher = opened.get()) {
          publish(publisher, notes);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("The hints of the run cannot be registered", e);
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
    } finally {
      registered.countDown();
    }
  }

  /** Publishes the hints, extends their life until this is closed, and then removes them. */
  private void publish(HintPublisher publisher, Consumer<String> notes) {
    try {
      register(publisher, notes);
      while (!closed) {
        TimeUnit.NANOSECONDS.sleep(publisher.life().dividedBy(EXTENSIONS).toNanos());
        publisher.keep(hints.id(), clock.instant().plus(publisher.life()));
      }
    } catch (InterruptedException e) {
      LOG.debug("The run ends", e);
    } finally {
      clearInterrupt();
      if (!left) {
        publisher.remove(hints.id());
      }
    }
  }

  private void register(HintPublisher publisher, Consumer<String> notes)
      throws InterruptedException {
    try {
      Optional<String> problem =
          publisher.put(
              new HintSet(
                  hints.id(),
                  hints.owner(),
                  clock.instant().plus(publisher.life()),
                  hints.rules()));
      problem.ifPresent(notes);
      inForce = problem.isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("The hints of the run cannot be registered", e);
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
    }
    registered.countDown();
  }

  /** The interrupt of {@link #close} must not reach the removal. */
  private synchronized void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  /** Waits until the NameNode follows the hints or is known not to. */
  public void await() throws InterruptedException {
    registered.await();
  }

  /** Whether the NameNode is known to follow the hints. */
  boolean inForce() {
    return inForce;
  }

  /**
   * Whether the NameNode follows the hints or may soon do so. A worker that starts then reads them
   * from a file, and no worker waits for them; any other opens a ZooKeeper session.
   */
  public boolean mayBeInForce() {
    return inForce || (thread != null && registered.getCount() > 0);
  }

  /** Keeps the hints registered for another ApplicationMaster, which continues the work. */
  public void leave() {
    left = true;
  }

  /** Removes the hints unless {@link #leave} was called; hints that cannot be removed expire. */
  @Override
  public void close() {
    Thread begun = thread;
    if (begun == null) {
      return;
    }
    synchronized (this) {
      closed = true;
      begun.interrupt();
    }
    try {
      begun.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

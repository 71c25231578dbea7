package dev.weir.workflow.run;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.hints.HintRegistration;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a run's hints in the background, because that takes about as long as YARN's first
 * containers. Hints are advice: failures become notes, and every wait is bounded. One thread
 * starts, awaits and closes them; any thread may query them.
 */
public final class RunHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunHints.class);

  private final Registering registering;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile @Nullable HintRegistration registration;
  private volatile boolean left;

  /** Registers hints; blocks for a bounded time. */
  @FunctionalInterface
  interface Registering {

    /**
     * Registers.
     *
     * @param notes receives messages for the user
     * @param isLeft whether another ApplicationMaster continues with the hints
     * @return the registration; empty when no hint store is configured
     */
    Optional<HintRegistration> register(Consumer<String> notes, BooleanSupplier isLeft)
        throws IOException, InterruptedException;
  }

  /** Creates hints whose registration has not started. */
  RunHints(Registering registering) {
    this.registering = registering;
  }

  /** A run without hints. */
  static RunHints none() {
    return new RunHints((notes, isLeft) -> Optional.empty());
  }

  /** Where the hints are published. */
  record Cluster(Configuration conf, URI fileSystem) {}

  /** Hints for the hints service or the store that the configuration names. */
  static RunHints of(Cluster cluster, HintRegistration.Owner owner, List<Rule> rules, Clock clock) {
    return new RunHints(
        (notes, isLeft) -> {
          Optional<HintPublisher> hintPublisher = hintPublisher(cluster, notes);
          return hintPublisher.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  HintRegistration.register(
                      hintPublisher.get(),
                      owner,
                      rules,
                      new HintRegistration.Context(clock, notes, isLeft)));
        });
  }

  private static Optional<HintPublisher> hintPublisher(Cluster cluster, Consumer<String> notes)
      throws IOException {
    try {
      Optional<HintPublisher> hintPublisher =
          HintPublisher.of(cluster.conf(), cluster.fileSystem());
      if (hintPublisher.isEmpty()) {
        notes.accept(
            HintPublisher.WITHOUT
                + ClientSettings.URL_KEY
                + " is not set on this cluster: only the hints service may write hints");
      }
      return hintPublisher;
    } catch (InvalidHintException e) {
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Starts the registration; to be called once.
   *
   * @param notes receives messages for the user
   */
  public void start(Consumer<String> notes) {
    Thread fresh = DaemonThreadFactory.named("run-hints").newThread(() -> register(notes));
    thread = fresh;
    fresh.start();
  }

  private void register(Consumer<String> notes) {
    try {
      registration = registering.register(notes, () -> left).orElse(null);
    } catch (InterruptedException e) {
      LOG.info("The run ends before its hints are registered");
    } catch (IOException | RuntimeException e) {
      LOG.warn("The hints of the run cannot be registered", e);
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
    } finally {
      over.countDown();
    }
  }

  /** Waits until the NameNode follows the hints or is known not to. */
  public void await() throws InterruptedException {
    over.await();
  }

  /** Whether the NameNode is known to follow the hints. */
  boolean inForce() {
    HintRegistration present = registration;
    return present != null && present.inForce();
  }

  /**
   * Whether the NameNode follows the hints or may soon do so. A worker that starts then reads them
   * from a file, and no worker waits for them; any other opens a ZooKeeper session.
   */
  public boolean mayBeInForce() {
    return inForce() || (thread != null && over.getCount() > 0);
  }

  /** Keeps the hints registered for another ApplicationMaster, which continues the work. */
  public void leave() {
    left = true;
  }

  /** Removes the hints unless {@link #leave} was called; hints that cannot be removed expire. */
  @Override
  public void close() {
    Thread begun = thread;
    if (begun != null && over.getCount() > 0) {
      begun.interrupt();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    HintRegistration present = registration;
    if (present != null && left) {
      present.leave();
    } else if (present != null) {
      present.close();
    }
  }
}

package dev.weir.workflow.run;

import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.concurrent.DaemonThreadFactory;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.hints.HintRegistration;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints of a run on their way to the NameNode while the run does something else: connecting and
 * waiting for the NameNode take about as long as YARN takes for the first containers. Hints are
 * advice: whatever goes wrong is a note, and every wait ends. One thread starts, awaits and closes
 * them, any thread may ask.
 */
public final class RunHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunHints.class);

  /**
   * So long the first workers are held back for them: a worker that is started when they are in
   * force reads a file, and any other one opens a session with ZooKeeper.
   */
  private static final long LAUNCH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Registering registering;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private @Nullable Long askedNanos;
  private volatile @Nullable HintRegistration registration;
  private volatile boolean left;

  /** What registers hints; blocks for a bounded time. */
  @FunctionalInterface
  interface Registering {

    /**
     * Registers.
     *
     * @param notes is told what the user should know
     * @param isLeft whether another ApplicationMaster goes on with the hints
     * @return what holds the hints; empty when there is nowhere to put them
     */
    Optional<HintRegistration> register(Consumer<String> notes, BooleanSupplier isLeft)
        throws IOException, InterruptedException;
  }

  /** What the hints are for. */
  @FunctionalInterface
  interface Work {

    /** Does it. */
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  /** Hints that nobody has begun to register. */
  RunHints(Registering registering) {
    this.registering = registering;
  }

  /** A run without hints. */
  static RunHints none() {
    return new RunHints((notes, isLeft) -> Optional.empty());
  }

  /**
   * Hints for the hints service or the store that the configuration names.
   *
   * @param rules those of the run
   */
  static RunHints of(
      Configuration conf, HintRegistration.Owner owner, List<Rule> rules, Clock clock) {
    return new RunHints(
        (notes, isLeft) -> {
          Optional<HintPublisher> desk = desk(conf, notes);
          return desk.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  HintRegistration.register(
                      desk.get(),
                      owner,
                      rules,
                      new HintRegistration.Context(clock, notes, isLeft)));
        });
  }

  private static Optional<HintPublisher> desk(Configuration conf, Consumer<String> notes)
      throws IOException {
    try {
      Optional<HintPublisher> desk = HintPublisher.of(conf);
      if (desk.isEmpty()) {
        notes.accept(
            HintPublisher.WITHOUT
                + ClientSettings.URL_KEY
                + " and "
                + HintSettings.QUORUM_KEY
                + " are not set on this cluster");
      }
      return desk;
    } catch (InvalidHintException e) {
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Begins to register them; to be called once.
   *
   * @param notes is told what the user should know
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
      LOG.info("The run ends before its hints are there");
    } catch (IOException | RuntimeException e) {
      LOG.warn("The hints of the run cannot be registered", e);
      notes.accept(HintPublisher.WITHOUT + e.getMessage());
    } finally {
      over.countDown();
    }
  }

  /** Waits until the NameNode places by them, or it is known that it will not. */
  public void await() throws InterruptedException {
    over.await();
  }

  /** Whether the NameNode is known to place by them. */
  boolean inForce() {
    HintRegistration present = registration;
    return present != null && present.inForce();
  }

  /**
   * The same, once it is known whether they are in force, or a second has gone by since this was
   * asked first. Hints that were not begun are not awaited.
   */
  public boolean inForceSoon() {
    if (thread != null) {
      try {
        boolean unused = over.await(patienceNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return inForce();
  }

  private synchronized long patienceNanos() {
    long now = System.nanoTime();
    if (askedNanos == null) {
      askedNanos = now;
    }
    return askedNanos + LAUNCH_NANOS - now;
  }

  /**
   * Does what they are for. If it fails when another ApplicationMaster has come, that one has its
   * workers write by these hints: they are left to it, also where they are only on their way.
   *
   * @param isReplaced whether another one is known to have come; may block
   */
  void during(Work work, BooleanSupplier isReplaced)
      throws IOException, InterruptedException, ExecutionException {
    boolean done = false;
    try {
      work.run();
      done = true;
    } finally {
      left = !done && isReplaced.getAsBoolean();
    }
  }

  /** Leaves them to another ApplicationMaster, which goes on with what they are for. */
  public void leave() {
    left = true;
  }

  /** Removes them unless they are left; what cannot be removed expires by itself. */
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

package dev.weir.workflow.hints;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The registration of a run's hints, from before its first task to its end. */
public final class HintRegistration implements AutoCloseable {
  /** Extensions per life of a set. Some may fail without the hints expiring. */
  private static final int EXTENSIONS = 4;

  private final HintPublisher publisher;
  private final String id;
  private final Clock clock;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("hints"));
  private @Nullable ScheduledFuture<?> extension;
  private boolean inForce;

  private HintRegistration(HintPublisher publisher, String id, Clock clock) {
    this.publisher = publisher;
    this.id = id;
    this.clock = clock;
  }

  /**
   * Registers rules and waits a bounded time until the NameNode applies them. They are extended
   * until the registration is closed. Hints are advice: if registering fails, the run continues and
   * a note says so.
   *
   * @param publisher closed with the registration
   * @throws InterruptedException if interrupted; the hints are removed or left then, according to
   *     {@code isLeft}
   */
  public static HintRegistration register(
      HintPublisher publisher, Owner owner, List<Rule> rules, Context context)
      throws InterruptedException {
    Clock clock = context.clock();
    HintRegistration registration = new HintRegistration(publisher, owner.run(), clock);
    try {
      Optional<String> problem =
          publisher.put(
              new HintSet(
                  owner.run(), owner.user(), clock.instant().plus(publisher.life()), rules));
      problem.ifPresent(context.notes());
      registration.inForce = problem.isEmpty();
    } catch (InterruptedException e) {
      if (context.isLeft().getAsBoolean()) {
        registration.leave();
      } else {
        registration.close();
      }
      throw e;
    } catch (RuntimeException e) {
      context.notes().accept(HintPublisher.WITHOUT + e.getMessage());
    }
    registration.extend(publisher.life().dividedBy(EXTENSIONS));
    return registration;
  }

  /**
   * The owner of the hints.
   *
   * @param run id of the run, which names the hint set
   * @param user owner of the set
   */
  public record Owner(String run, String user) {}

  /**
   * The context of a registration.
   *
   * @param clock determines when hints expire
   * @param notes receives messages for the user
   * @param isLeft whether another process takes over the hints; asked on an interrupt before the
   *     hints are registered
   */
  public record Context(Clock clock, Consumer<String> notes, BooleanSupplier isLeft) {}

  /**
   * Returns whether the NameNode applied the rules when they were registered.
   *
   * @return false also if that is unknown
   */
  public boolean inForce() {
    return inForce;
  }

  private void extend(Duration period) {
    extension =
        executor.scheduleWithFixedDelay(
            () -> publisher.keep(id, clock.instant().plus(publisher.life())),
            period.toNanos(),
            period.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  /** Removes the hints. If that fails, they expire by themselves. */
  @Override
  public void close() {
    stopExtending();
    publisher.remove(id);
    publisher.close();
  }

  /** Leaves the hints to another process and closes the publisher. */
  public void leave() {
    stopExtending();
    publisher.close();
  }

  private void stopExtending() {
    if (extension != null) {
      extension.cancel(true);
    }
    executor.shutdownNow();
  }
}

package dev.weir.workflow.hints;

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

/** The hints of one run, from before its first task to its end. */
public final class HintRegistration implements AutoCloseable {
  /** A life has so many extensions: some may fail and the hints live on. */
  private static final int EXTENSIONS = 4;

  private final HintPublisher desk;
  private final String id;
  private final Clock clock;
  private final ScheduledExecutorService extending =
      Executors.newSingleThreadScheduledExecutor(HintRegistration::thread);
  private @Nullable ScheduledFuture<?> extension;
  private boolean inForce;

  private HintRegistration(HintPublisher desk, String id, Clock clock) {
    this.desk = desk;
    this.id = id;
    this.clock = clock;
  }

  /**
   * Registers rules and waits a bounded time until the NameNode places by them; from then on they
   * are extended until this is closed. Hints are advice: when that fails the run goes on, and a
   * note says so.
   *
   * @param desk closed with the registration
   * @throws InterruptedException when told to stop; the hints are removed by then, or left
   */
  public static HintRegistration register(
      HintPublisher desk, Owner owner, List<Rule> rules, Surroundings around)
      throws InterruptedException {
    Clock clock = around.clock();
    HintRegistration registration = new HintRegistration(desk, owner.run(), clock);
    try {
      Optional<String> trouble =
          desk.put(
              new HintSet(owner.run(), owner.user(), clock.instant().plus(desk.life()), rules));
      trouble.ifPresent(around.notes());
      registration.inForce = trouble.isEmpty();
    } catch (InterruptedException e) {
      if (around.isLeft().getAsBoolean()) {
        registration.leave();
      } else {
        registration.close();
      }
      throw e;
    } catch (RuntimeException e) {
      around.notes().accept(HintPublisher.WITHOUT + e.getMessage());
    }
    registration.extend(desk.life().dividedBy(EXTENSIONS));
    return registration;
  }

  /**
   * Whose hints they are.
   *
   * @param run names the hint set
   * @param user owns it
   */
  public record Owner(String run, String user) {}

  /**
   * What is around a registration.
   *
   * @param clock says how long hints live
   * @param notes is told what the user should know
   * @param isLeft whether somebody else goes on with the hints; asked when it is told to stop
   *     before the hints are there
   */
  public record Surroundings(Clock clock, Consumer<String> notes, BooleanSupplier isLeft) {}

  /**
   * Whether the NameNode placed by the rules when they were registered.
   *
   * @return false also when that is not known
   */
  public boolean inForce() {
    return inForce;
  }

  private void extend(Duration period) {
    extension =
        extending.scheduleWithFixedDelay(
            () -> desk.keep(id, clock.instant().plus(desk.life())),
            period.toNanos(),
            period.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  /** Removes the hints; what cannot be removed expires by itself. */
  @Override
  public void close() {
    extendNoMore();
    desk.remove(id);
    desk.close();
  }

  /** Leaves the hints to whoever goes on with them; what they hold is closed. */
  public void leave() {
    extendNoMore();
    desk.close();
  }

  private void extendNoMore() {
    if (extension != null) {
      extension.cancel(true);
    }
    extending.shutdownNow();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hints");
    thread.setDaemon(true);
    return thread;
  }
}

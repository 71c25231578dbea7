package dev.weir.workflow.session;

import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.RunClosing;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.scheduler.RunFailure;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What ends with a run of a session: the session itself if it has no other. Calls block. */
final class RunEnding implements RunClosing.Services {

  /** For so long workers may take to stop what they have of the run. */
  private static final long STOP_MILLIS = 10_000;

  private static final long LOOK_MILLIS = 50;

  private final ManagedRun run;
  private final SessionServices services;
  private final boolean alone;
  private final BooleanSupplier inHand;

  /**
   * The end of a run of which no worker has any attempt.
   *
   * @param alone whether the session ends with it
   */
  RunEnding(ManagedRun run, SessionServices services, boolean alone) {
    this(run, services, alone, () -> false);
  }

  private RunEnding(
      ManagedRun run, SessionServices services, boolean alone, BooleanSupplier inHand) {
    this.run = run;
    this.services = services;
    this.alone = alone;
    this.inHand = inHand;
  }

  /** The same when workers may still have attempts of the run, which are to be stopped. */
  RunEnding waitingFor(BooleanSupplier attempts) {
    return new RunEnding(run, services, alone, attempts);
  }

  @Override
  public void requireLast() throws IOException {
    services.requireLast();
  }

  @Override
  public Progress progress() {
    return services.controller().progress(run.graph());
  }

  @Override
  public int reused() {
    return services.controller().details(run.graph()).reused();
  }

  @Override
  public void finish() {
    run.finishStatus();
    if (alone) {
      services.finish();
      return;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
    try {
      while (inHand.getAsBoolean() && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public CacheTraffic cacheTraffic() {
    return run.cachesSince(services.cacheTraffic());
  }

  @Override
  public DeletedFiles tidied() {
    return run.finishDeletion();
  }

  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    if (alone) {
      services.unregister(failure, remark);
    }
  }
}

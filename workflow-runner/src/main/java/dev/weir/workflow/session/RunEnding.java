package dev.weir.workflow.session;

import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.RunClosing;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The services that end with a run: those of the session too, if it ends with this run. Calls
 * block.
 *
 * @param hasAttempts whether attempts of the run have to stop first
 */
record RunEnding(
    ManagedRun run, SessionServices services, boolean endsSession, BooleanSupplier hasAttempts)
    implements RunClosing.Services {

  /** How long workers may take to stop the run's attempts. */
  private static final long STOP_MILLIS = 10_000;

  private static final long POLL_MILLIS = 50;

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
    if (endsSession) {
      services.finish();
      return;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
    try {
      while (hasAttempts.getAsBoolean() && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Workers and journals of a session need the directory of its first run until it ends. */
  @Override
  public boolean tidies() {
    return endsSession || !services.id().equals(run.graph());
  }

  @Override
  public CacheTraffic cacheTraffic() {
    return run.cachesSince(services.cacheTraffic());
  }

  @Override
  public DeletedFiles deletedFiles() {
    return run.finishDeletion();
  }

  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    if (endsSession) {
      services.unregister(failure, remark);
    }
  }
}

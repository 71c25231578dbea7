package dev.weir.service.part;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Runs the jobs of a request on threads that all requests share. */
public final class RequestExecutor {
  /** The number of concurrent jobs of one request. */
  private static final int MAX_CONCURRENT = 8;

  private final ExecutorService executor;

  /**
   * Creates an executor.
   *
   * @param executor the threads, shared by all requests
   */
  public RequestExecutor(ExecutorService executor) {
    this.executor = executor;
  }

  /**
   * Runs all jobs, in any order and several at a time. Stops after the first failure. A single job
   * runs on the caller's thread.
   *
   * @throws IOException of the job that failed; {@link InterruptedIOException} if the thread was
   *     interrupted, which it stays
   * @throws ProblemException of the job that refused
   */
  public void runAll(List<InvocationRaisingIOE> jobs) throws IOException {
    if (jobs.size() == 1) {
      jobs.get(0).apply();
      return;
    }
    AtomicInteger next = new AtomicInteger();
    Callable<Boolean> worker =
        () -> {
          for (int i = next.getAndIncrement(); i < jobs.size(); i = next.getAndIncrement()) {
            try {
              jobs.get(i).apply();
            } catch (IOException | RuntimeException e) {
              next.set(jobs.size());
              throw e;
            }
          }
          return true;
        };
    List<Callable<Boolean>> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(MAX_CONCURRENT, jobs.size()); i++) {
      workers.add(worker);
    }
    await(workers);
  }

  private void await(List<Callable<Boolean>> workers) throws IOException {
    try {
      for (Future<Boolean> done : executor.invokeAll(workers)) {
        done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("the service is stopping");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProblemException refused) {
        throw refused;
      }
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException("a part of a request failed", e);
    }
  }
}

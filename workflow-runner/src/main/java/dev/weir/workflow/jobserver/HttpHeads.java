package dev.weir.workflow.jobserver;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.protocol.UnauthenticatedConnections;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of HTTP requests for the JDK's server, each on its own thread. When too many
 * connections wait, that thread is interrupted, which closes the connection.
 */
public final class HttpHeads implements Executor, AutoCloseable {

  /**
   * Limit on connections that are not authenticated yet; each holds a thread while its head is
   * read.
   */
  private static final int MAX_UNAUTHENTICATED = 256;

  /** How long an unauthenticated connection is spared when too many wait. */
  private static final Duration GRACE = Duration.ofMillis(100);

  /** Time limit for reading a request; a slower one is closed and frees its thread. */
  static final int REQUEST_SECONDS = 10;

  /** Time limit for an answer, counted from the request; longer than the longest wait. */
  private static final int ANSWER_SECONDS = 120;

  private final UnauthenticatedConnections unauthenticated =
      new UnauthenticatedConnections(MAX_UNAUTHENTICATED, GRACE, System::nanoTime);
  private final ExecutorService threads;

  /**
   * Creates the threads, and sets the limits of the JDK's server, which reads them once, when the
   * process makes its first.
   */
  public HttpHeads(String name) {
    setUnlessSet("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_SECONDS));
    setUnlessSet("sun.net.httpserver.maxRspTime", Integer.toString(ANSWER_SECONDS));
    // The server writes the head and the body of an answer separately. With Nagle's algorithm the
    // body would wait up to 40 ms for the acknowledgement of the head.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    threads = Executors.newCachedThreadPool(DaemonThreadFactory.named(name));
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Called by the server's only accepting thread. */
  @Override
  public void execute(Runnable request) {
    AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    try {
      UnauthenticatedConnections.Place place = unauthenticated.enter(() -> interrupt(reader.get()));
      try {
        threads.execute(
            () -> {
              reader.set(Thread.currentThread());
              try {
                request.run();
              } finally {
                place.leave();
                // Clears an eviction that came after the last read.
                boolean unused = Thread.interrupted();
              }
            });
      } catch (OutOfMemoryError e) {
        // No thread can be started now. The accepting thread survives exceptions, but no errors.
        place.leave();
        throw new RejectedExecutionException("No thread for a request", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does nothing for a request that has not begun; the request's time limit ends it. */
  private static void interrupt(@Nullable Thread reader) {
    if (reader != null) {
      reader.interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

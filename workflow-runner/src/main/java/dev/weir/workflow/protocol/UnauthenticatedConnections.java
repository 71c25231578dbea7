package dev.weir.workflow.protocol;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded set of a server's unauthenticated connections. When it is full, a new connection evicts
 * the oldest one, but not before that has had a grace period to authenticate. So connections that
 * stay idle or slow delay others by the grace period at most. While new ones keep coming, only a
 * caller that authenticates within the grace period is served. Thread-safe.
 */
public final class UnauthenticatedConnections {

  private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedConnections.class);

  /** A pause, because a process without file handles would otherwise retry in a busy loop. */
  private static final long ACCEPT_PAUSE_MILLIS = 100;

  private final int most;
  private final long graceNanos;
  private final LongSupplier nanoTime;

  /** Oldest first. */
  private final Set<Place> places = new LinkedHashSet<>();

  public UnauthenticatedConnections(int most, Duration grace, LongSupplier nanoTime) {
    this.most = most;
    this.graceNanos = grace.toNanos();
    this.nanoTime = nanoTime;
  }

  public final class Place {
    private final Runnable eviction;
    private final long sinceNanos = nanoTime.getAsLong();

    private Place(Runnable eviction) {
      this.eviction = eviction;
    }

    /**
     * Frees the place, because the connection has authenticated or closed. After this it is not
     * evicted. Idempotent.
     *
     * @return whether the connection still had its place
     */
    public boolean leave() {
      synchronized (UnauthenticatedConnections.this) {
        boolean had = places.remove(this);
        UnauthenticatedConnections.this.notifyAll();
        return had;
      }
    }
  }

  /**
   * Adds a connection. Blocks while the set is full and all connections are within their grace
   * period.
   *
   * @param eviction closes the connection; must not block
   */
  public synchronized Place enter(Runnable eviction) throws InterruptedException {
    while (places.size() >= most) {
      Place oldest = places.iterator().next();
      long leftNanos = oldest.sinceNanos + graceNanos - nanoTime.getAsLong();
      if (leftNanos <= 0) {
        places.remove(oldest);
        oldest.eviction.run();
      } else {
        wait(TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
      }
    }
    Place place = new Place(eviction);
    places.add(place);
    return place;
  }

  /**
   * Accepts connections until the server is closed.
   *
   * @param threads one for each connection
   * @param serve authenticates and serves a connection, and frees its place
   */
  public void acceptAll(
      ServerSocket server, ThreadFactory threads, BiConsumer<Socket, Place> serve) {
    try {
      while (!server.isClosed()) {
        try {
          Socket peer = server.accept();
          Place place = enter(() -> close(peer));
          boolean given = false;
          try {
            threads.newThread(() -> serve.accept(peer, place)).start();
            given = true;
          } finally {
            if (!given) {
              place.leave();
              peer.close();
            }
          }
        } catch (IOException | OutOfMemoryError e) {
          if (!server.isClosed()) {
            // Too many open files or threads; resources may be free again soon.
            LOG.warn("Cannot accept a connection", e);
            TimeUnit.MILLISECONDS.sleep(ACCEPT_PAUSE_MILLIS);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes a connection. Never fails. */
  public static void close(Socket peer) {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.debug("Cannot close {}", peer.getRemoteSocketAddress(), e);
    }
  }
}

package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.UnauthenticatedConnections;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves this node's cached contents to other workers of the session, even while they are being
 * fetched. So a large file passes from node to node in a chain with little delay. Clients must know
 * the session's secret; all workers belong to one user, who may read everything in the cache.
 */
final class CacheServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(CacheServer.class);

  /** The ApplicationMaster grants fewer readers; this bounds other clients. */
  private static final int MOST_READERS = 16;

  /** Limit on unauthenticated connections; each holds a thread. */
  private static final int MAX_UNAUTHENTICATED = 256;

  /** Enough for TLS and the secret. */
  private static final Duration GRACE = Duration.ofMillis(100);

  private static final int BACKLOG = 1_024;

  private static final int SILENCE_MILLIS = 10_000;
  private static final long SIGN_OF_LIFE_MILLIS = 1_000;

  private final NodeCache cache;
  private final Supplier<CacheSecurity> security;
  private final ThreadFactory threads;
  private final Consumer<Message> master;
  private final ServerSocket socket;
  private final SecureRandom random = new SecureRandom();

  /** Closes connections that take too long to authenticate. */
  private final ScheduledThreadPoolExecutor deadlines;

  private final UnauthenticatedConnections unauthenticated =
      new UnauthenticatedConnections(MAX_UNAUTHENTICATED, GRACE, System::nanoTime);
  private final Semaphore readers = new Semaphore(MOST_READERS);

  /**
   * Creates a server on all addresses, not started.
   *
   * @param security gives the authentication and encryption of each connection
   * @param threads one for each reader
   * @param master notified of contents that cannot be served
   * @throws IOException when there is no port
   */
  CacheServer(
      NodeCache cache,
      Supplier<CacheSecurity> security,
      ThreadFactory threads,
      Consumer<Message> master,
      PortRange ports)
      throws IOException {
    this.cache = cache;
    this.security = security;
    this.threads = threads;
    this.master = master;
    this.deadlines = new ScheduledThreadPoolExecutor(1, threads);
    deadlines.setRemoveOnCancelPolicy(true);
    this.socket = ports.bind(port -> new ServerSocket(port, BACKLOG));
  }

  /** Announces the port to the ApplicationMaster, and serves until it is closed. */
  void start() {
    threads.newThread(() -> unauthenticated.acceptAll(socket, threads, this::serve)).start();
    tell();
  }

  /** Announces the port to the ApplicationMaster. */
  void tell() {
    master.accept(new Message.Serving(socket.getLocalPort()));
  }

  private void serve(Socket peer, UnauthenticatedConnections.Place place) {
    try (peer) {
      peer.setTcpNoDelay(true);
      peer.setSoTimeout(SILENCE_MILLIS);
      // A slow sender never hits the read timeout, so the total time is limited too.
      Future<?> deadline =
          deadlines.schedule(
              () -> UnauthenticatedConnections.close(peer), SILENCE_MILLIS, TimeUnit.MILLISECONDS);
      CacheSecurity now = security.get();
      CacheLink link;
      CacheLink.Wanted wanted;
      try {
        Socket secured = now.accepted(peer);
        link = new CacheLink(secured.getInputStream(), secured.getOutputStream());
        wanted = link.accept(now.secret(), random);
      } finally {
        deadline.cancel(false);
      }
      place.leave();
      while (giveInTurn(link, wanted)) {
        wanted = link.acceptNext(now.secret());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Stopped serving {}", peer.getRemoteSocketAddress(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      place.leave();
    }
  }

  /** Returns whether it was given; the reader waits no longer than this for the first byte. */
  private boolean giveInTurn(CacheLink link, CacheLink.Wanted wanted)
      throws IOException, InterruptedException {
    if (!readers.tryAcquire(SILENCE_MILLIS, TimeUnit.MILLISECONDS)) {
      return false;
    }
    try {
      if (give(link, wanted)) {
        return true;
      }
      LOG.info("{} is no longer in the cache of this node", wanted.content());
      master.accept(new Message.NotKept(wanted.content()));
      return false;
    } finally {
      readers.release();
    }
  }

  /** Returns whether it is serving files to other nodes. */
  boolean isBusy() {
    return readers.availablePermits() < MOST_READERS;
  }

  /** Whether the content was sent completely; otherwise the reader continues elsewhere. */
  private boolean give(CacheLink link, CacheLink.Wanted wanted) throws IOException {
    Optional<NodeCache.Share> found = cache.share(wanted.content(), wanted.length());
    if (found.isEmpty()) {
      return false;
    }
    byte[] buffer = new byte[(int) Math.min(CacheLink.MAX_PIECE / 4, Math.max(1, wanted.length()))];
    try (NodeCache.Share share = found.get()) {
      int length = share.read(buffer, SIGN_OF_LIFE_MILLIS);
      while (length >= 0) {
        link.give(buffer, length);
        length = share.read(buffer, SIGN_OF_LIFE_MILLIS);
      }
      if (!share.isSound()) {
        LOG.warn("{} has changed in the cache of this node", wanted.content());
        return false;
      }
      link.end();
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    deadlines.shutdownNow();
    socket.close();
  }
}

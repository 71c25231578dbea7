package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.UnknownCallers;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives contents of this node's cache to the other workers of the run, also such as are only just
 * coming: so a large file goes from node to node in a chain, each of which has it a moment after
 * the one before. Only who knows the session's secret is given anything; all workers of a run are
 * one user's, who has read everything that is in the cache.
 */
final class CacheServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(CacheServer.class);

  /** The ApplicationMaster lets fewer read; this bounds what others can make us do. */
  private static final int MOST_READERS = 16;

  /** Connections that are not authenticated; each holds a thread. */
  private static final int MOST_UNKNOWN = 256;

  /** Time enough for TLS and the secret. */
  private static final Duration GRACE = Duration.ofMillis(100);

  private static final int BACKLOG = 1_024;

  private static final int SILENCE_MILLIS = 10_000;
  private static final long SIGN_OF_LIFE_MILLIS = 1_000;

  /** Without it a process that has run out of file handles would spend itself on trying. */
  private static final long ACCEPT_PAUSE_MILLIS = 100;

  private final NodeCache cache;
  private final Supplier<CacheSecurity> security;
  private final ThreadFactory threads;
  private final Consumer<Message> master;
  private final ServerSocket socket;
  private final SecureRandom random = new SecureRandom();

  /** Ends the connections of those who take too long to say who they are. */
  private final ScheduledExecutorService deadlines;

  private final UnknownCallers unknown = new UnknownCallers(MOST_UNKNOWN, GRACE, System::nanoTime);
  private final Semaphore readers = new Semaphore(MOST_READERS);

  /**
   * A server on a free port of all addresses, not started.
   *
   * @param security asked for each reader how it is known and what protects it
   * @param threads one for each reader
   * @param master hears what cannot be given
   * @throws IOException when there is no port
   */
  CacheServer(
      NodeCache cache,
      Supplier<CacheSecurity> security,
      ThreadFactory threads,
      Consumer<Message> master)
      throws IOException {
    this.cache = cache;
    this.security = security;
    this.threads = threads;
    this.master = master;
    this.deadlines = Executors.newSingleThreadScheduledExecutor(threads);
    this.socket = new ServerSocket(0, BACKLOG);
  }

  /** Says to the ApplicationMaster where it is, and gives what is asked for until it is closed. */
  void start() {
    threads.newThread(this::acceptAll).start();
    tell();
  }

  /** Says to the ApplicationMaster where it is. */
  void tell() {
    master.accept(new Message.Serving(socket.getLocalPort()));
  }

  private void acceptAll() {
    try {
      while (!socket.isClosed()) {
        acceptOne();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void acceptOne() throws InterruptedException {
    try {
      Socket peer = socket.accept();
      UnknownCallers.Place place = unknown.enter(() -> end(peer));
      boolean given = false;
      try {
        threads.newThread(() -> serve(peer, place)).start();
        given = true;
      } finally {
        if (!given) {
          place.leave();
          peer.close();
        }
      }
    } catch (IOException | OutOfMemoryError e) {
      if (!socket.isClosed()) {
        // Too many files are open, or threads: nobody is lost by it, for who gets no answer reads
        // from HDFS, and there may be fewer soon.
        LOG.warn("A reader of this node's cache was not taken", e);
        TimeUnit.MILLISECONDS.sleep(ACCEPT_PAUSE_MILLIS);
      }
    }
  }

  private void serve(Socket peer, UnknownCallers.Place place) {
    try (peer) {
      peer.setTcpNoDelay(true);
      peer.setSoTimeout(SILENCE_MILLIS);
      // Somebody who says a byte now and then is never silent.
      Future<?> deadline =
          deadlines.schedule(() -> end(peer), SILENCE_MILLIS, TimeUnit.MILLISECONDS);
      CacheSecurity now = security.get();
      Socket secured = now.accepted(peer);
      CacheLink link = new CacheLink(secured.getInputStream(), secured.getOutputStream());
      CacheLink.Wanted wanted = link.accept(now.secret(), random);
      deadline.cancel(false);
      place.leave();
      giveInTurn(link, wanted);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Gave up giving to {}", peer.getRemoteSocketAddress(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      place.leave();
    }
  }

  /** The reader, which has authenticated, waits no longer than this for a first sign. */
  private void giveInTurn(CacheLink link, CacheLink.Wanted wanted)
      throws IOException, InterruptedException {
    if (!readers.tryAcquire(SILENCE_MILLIS, TimeUnit.MILLISECONDS)) {
      return;
    }
    try {
      if (!give(link, wanted)) {
        LOG.info("{} is not in the cache of this node any more", wanted.content());
        master.accept(new Message.NotKept(wanted.content()));
      }
    } finally {
      readers.release();
    }
  }

  private static void end(Socket peer) {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.debug("Cannot close {}", peer.getRemoteSocketAddress(), e);
    }
  }

  /** Whether it was given; whoever gets no end reads on elsewhere. */
  private boolean give(CacheLink link, CacheLink.Wanted wanted) throws IOException {
    Optional<NodeCache.Share> found = cache.share(wanted.content(), wanted.length());
    if (found.isEmpty()) {
      return false;
    }
    byte[] buffer = new byte[CacheLink.MAX_PIECE / 4];
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

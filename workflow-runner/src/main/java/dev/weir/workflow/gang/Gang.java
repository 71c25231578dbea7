package dev.weir.workflow.gang;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.UnauthenticatedConnections;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first container's end of a gang: the connections of the other containers, which wait for
 * requests. Thread-safe.
 */
public final class Gang implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gang.class);
  private static final long JOIN_MILLIS = 180_000;
  private static final long CONNECTION_MILLIS = 30_000;
  private static final long RELEASE_MILLIS = 60_000;
  private static final int BACKLOG = 128;

  /** Limit on unauthenticated connections; each holds a thread. */
  private static final int MAX_UNAUTHENTICATED = 128;

  private static final Duration GRACE = Duration.ofSeconds(1);

  private final String container;
  private final int members;
  private final CacheSecurity security;
  private final ServerSocket server;
  private final UnauthenticatedConnections unauthenticated =
      new UnauthenticatedConnections(MAX_UNAUTHENTICATED, GRACE, System::nanoTime);
  private final ThreadFactory threads;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Ids of the other containers, in the order in which they have joined. */
  private final List<String> joined = new ArrayList<>();

  private final Map<String, BlockingQueue<GangConnection>> idle = new HashMap<>();

  /** The directory with the address; null if there is none, or all containers have joined. */
  private @Nullable Staging session;

  /**
   * Begins to wait for the other containers.
   *
   * @param container id of this container
   * @param members the number of others
   * @param security of the session's connections between containers
   */
  public Gang(
      String container, int members, CacheSecurity security, PortRange ports, ThreadFactory threads)
      throws IOException {
    this.container = container;
    this.members = members;
    this.security = security;
    this.threads = threads;
    this.server = ports.bind(port -> new ServerSocket(port, BACKLOG));
    threads.newThread(() -> unauthenticated.acceptAll(server, threads, this::join)).start();
  }

  /**
   * Returns where the others find it.
   *
   * @param host name of this node
   */
  GangAddress address(String host) throws IOException {
    return GangAddress.of(host, server.getLocalPort(), security);
  }

  /**
   * Tells the others where it is.
   *
   * @param directory that of the session
   * @param host name of this node
   */
  public synchronized void announce(Staging directory, String host) throws IOException {
    directory.writeJson(GangAddress.file(container), address(host));
    session = directory;
  }

  private void join(Socket socket, UnauthenticatedConnections.Place place) {
    try {
      GangConnection connection = GangConnection.open(socket, security, container, true);
      place.leave();
      String member = connection.readText();
      synchronized (this) {
        if (!idle.containsKey(member)) {
          joined.add(member);
          idle.put(member, new LinkedBlockingQueue<>());
          notifyAll();
        }
        idle.get(member).add(connection);
      }
    } catch (IOException e) {
      LOG.info("{} cannot join the gang: {}", socket, e.toString());
    } finally {
      place.leave();
    }
  }

  /**
   * Prepares the other containers for a command: each gets a directory with the name of the
   * sandbox's, and its files. Blocks until all are there.
   *
   * @param cores slots of each container for processes
   * @param variables of commands in the other containers
   * @throws IOException when one of them is lost
   */
  public GangCommand begin(Sandbox sandbox, int cores, Map<String, String> variables)
      throws IOException, InterruptedException {
    List<String> all = awaitMembers();
    deleteAddress();
    GangCommand command = new GangCommand(this, all, sandbox, variables);
    boolean isReady = false;
    try {
      command.prepare(cores, threads);
      isReady = true;
      return command;
    } finally {
      if (!isReady) {
        command.close();
      }
    }
  }

  private synchronized List<String> awaitMembers() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
    for (long left = JOIN_MILLIS; joined.size() < members && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    if (joined.size() < members) {
      throw new IOException(
          "of the "
              + (members + 1)
              + " containers of the gang only "
              + (joined.size() + 1)
              + " are there: see the logs of the others (yarn logs)");
    }
    return List.copyOf(joined);
  }

  private synchronized void deleteAddress() throws IOException {
    if (session != null) {
      session.delete(GangAddress.file(container));
      session = null;
    }
  }

  /** Takes a connection to a container for a request. */
  GangConnection connection(String container) throws IOException, InterruptedException {
    BlockingQueue<GangConnection> queue;
    synchronized (this) {
      queue = idle.get(container);
    }
    GangConnection found =
        queue == null ? null : queue.poll(CONNECTION_MILLIS, TimeUnit.MILLISECONDS);
    if (found == null) {
      throw new IOException("the container " + container + " of the gang does not answer");
    }
    return found;
  }

  /**
   * Waits after the loss of another container. YARN tells the ApplicationMaster about it, which
   * then releases this container, too. Until then it would only fail further attempts.
   */
  public void awaitRelease() throws InterruptedException {
    if (!closed.await(RELEASE_MILLIS, TimeUnit.MILLISECONDS)) {
      LOG.warn("This container was not released after the loss of another one of its task");
    }
  }

  /** Ends the other containers. */
  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
    List<GangConnection> open = new ArrayList<>();
    synchronized (this) {
      idle.values().forEach(queue -> queue.drainTo(open));
    }
    for (GangConnection connection : open) {
      connection.close();
    }
  }
}

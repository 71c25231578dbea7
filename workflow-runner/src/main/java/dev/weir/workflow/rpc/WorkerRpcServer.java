package dev.weir.workflow.rpc;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster's RPC server for workers. Accepts only the tokens of the session's
 * containers. Thread-safe.
 */
public final class WorkerRpcServer implements AutoCloseable {

  /** The longest request, in bytes. */
  static final int MAX_REQUEST_BYTES = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(WorkerRpcServer.class);

  /** Checks of workers' silence during one poll interval. */
  private static final int CHECKS_PER_POLL = 8;

  private static final int HANDLERS = 4;
  private static final int BACKLOG = 1_024;
  private static final int ANSWERERS = 2;
  private static final String ALL_ADDRESSES = "0.0.0.0";
  private static final String CACHE_PURPOSE = "node-caches";

  private final RpcConfig config;
  private final Listener listener;
  private final Predicate<String> holds;
  private final CacheSecurity cacheSecurity;
  private final SecureRandom random = new SecureRandom();
  private final ScheduledExecutorService threads;
  private final RPC.Server server;
  private final Map<String, WorkerChannel> channels = new HashMap<>();

  /** Workers whose channel has ended: the listener tells one that joins again to stop. */
  private final Set<String> departed = new HashSet<>();

  /** Receives the events of workers; each worker's calls come one at a time. */
  public interface Listener {

    /**
     * A worker has joined. The first call for each worker.
     *
     * @param worker id of the worker: that of its container
     * @param node host name of its node, as the worker reports it
     * @param address address of its connection
     */
    void joined(String worker, String node, String address, Connection connection);

    /** A worker has sent a message. */
    void received(String worker, Message message);

    /**
     * Calls back when the received messages were handled. They may have caused messages to workers.
     *
     * @param then must not block
     */
    default void whenHandled(Runnable then) {
      then.run();
    }

    /**
     * A worker's channel has ended: it has left, was silent for too long, or its connection was
     * closed here.
     */
    void lost(String worker, String reason);
  }

  /**
   * Creates a server on all addresses, on a free port of {@link PortRange#MASTER_KEY}, not started.
   *
   * @param config settings of the channel
   * @param tokens of the session
   * @param masterKey the session's
   * @param holds whether the session holds a container
   * @param listener receives the events of workers
   * @throws IOException when there is no port, or no certificate for caches
   */
  public WorkerRpcServer(
      Configuration node,
      RpcConfig config,
      WorkerTokenSecretManager tokens,
      Secret masterKey,
      Predicate<String> holds,
      Listener listener)
      throws IOException {
    this.config = config;
    this.listener = listener;
    this.holds = holds;
    Secret cacheSecret = cacheSecret(masterKey);
    this.cacheSecurity =
        config.protectsCaches(node)
            ? CacheSecurity.encrypted(cacheSecret)
            : CacheSecurity.plain(cacheSecret);
    Configuration conf = config.applyTo(node);
    // TOKEN must be the only method: with another one, the server would also accept SIMPLE or
    // Kerberos.
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, AuthMethod.TOKEN.toString());
    // The session's tokens authorize their holders; service ACLs do not cover this protocol.
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false);
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, MAX_REQUEST_BYTES);
    // Hadoop's readers hold no thread for a slow peer, but a full queue delays others by a second.
    conf.setInt(CommonConfigurationKeysPublic.IPC_SERVER_LISTEN_QUEUE_SIZE_KEY, BACKLOG);
    RPC.setProtocolEngine(conf, WorkerProtocol.class, ProtobufRpcEngine2.class);
    WorkerService service = new WorkerService(this, tokens);
    this.server =
        PortRange.of(node, PortRange.MASTER_KEY)
            .bind(
                port ->
                    new RPC.Builder(conf)
                        .setProtocol(WorkerProtocol.class)
                        .setInstance(service)
                        .setBindAddress(ALL_ADDRESSES)
                        .setPort(port)
                        .setNumHandlers(HANDLERS)
                        .setSecretManager(tokens)
                        .build());
    server.addTerseExceptions(AccessControlException.class, IOException.class);
    this.threads =
        new ScheduledThreadPoolExecutor(ANSWERERS, DaemonThreadFactory.named("worker-rpc"));
  }

  public int port() {
    return server.getListenerAddress().getPort();
  }

  /** Begins to accept workers. */
  public void start() {
    long millis = Math.max(1, config.pollMillis() / CHECKS_PER_POLL);
    var unused =
        threads.scheduleWithFixedDelay(
            () -> checkSilence(millis), millis, millis, TimeUnit.MILLISECONDS);
    server.start();
  }

  /**
   * Ends the channels of workers that are silent for too long, so that they count as lost. Never
   * throws, because an exception would end the periodic checks.
   *
   * @param millis time in which this process ran: its own pauses are not the workers' silence
   */
  private void checkSilence(long millis) {
    List<WorkerChannel> open;
    try {
      synchronized (channels) {
        open = List.copyOf(channels.values());
      }
    } catch (RuntimeException | Error e) {
      LOG.error("Cannot check whether workers are alive", e);
      return;
    }
    for (WorkerChannel channel : open) {
      try {
        channel.checkSilence(millis, config);
      } catch (RuntimeException | Error e) {
        LOG.error("Cannot check whether {} is alive", channel.worker(), e);
      }
    }
  }

  /** Returns the secret with which the node caches of a session authenticate each other. */
  public static Secret cacheSecret(Secret masterKey) {
    return masterKey.derive(CACHE_PURPOSE);
  }

  CacheSecurity cacheSecurity() {
    return cacheSecurity;
  }

  /**
   * Opens the channel of a worker process, or finds the one that is open.
   *
   * @throws IOException when another process of the container has a channel
   * @throws AccessControlException when the container is not held
   */
  WorkerChannel join(String worker, long process, String node, String address) throws IOException {
    synchronized (channels) {
      WorkerChannel open = channels.get(worker);
      if (open != null && open.process() == process) {
        open.joinedAgain();
        return open;
      } else if (open != null) {
        throw new IOException("Worker " + worker + " has joined already");
      } else if (!holds.test(worker) && !departed.contains(worker)) {
        throw new AccessControlException(worker + " is no container of this session");
      }
      WorkerChannel channel =
          new WorkerChannel(worker, process, random.nextLong(), listener, threads, this::ended);
      listener.joined(worker, node, address, channel);
      channels.put(worker, channel);
      return channel;
    }
  }

  private void ended(WorkerChannel channel) {
    synchronized (channels) {
      channels.remove(channel.worker(), channel);
      departed.add(channel.worker());
    }
  }

  /** Returns the open channel of a worker. */
  WorkerChannel channel(String worker, long epoch) throws IOException {
    synchronized (channels) {
      WorkerChannel channel = channels.get(worker);
      if (channel == null || channel.epoch() != epoch) {
        throw new IOException("Worker " + worker + " has no session with this id");
      }
      return channel;
    }
  }

  /** Stops the server; the listener is not called any more. */
  @Override
  public void close() {
    server.stop();
    threads.shutdownNow();
  }
}

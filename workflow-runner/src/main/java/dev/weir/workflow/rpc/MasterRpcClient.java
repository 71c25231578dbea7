package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a worker to its session's ApplicationMasters, one after another. For one thread; the
 * returned connections are thread-safe.
 */
public final class MasterRpcClient {

  private static final Logger LOG = LoggerFactory.getLogger(MasterRpcClient.class);
  private static final int CONNECT_MILLIS = 5_000;
  private static final long LEAVE_MILLIS = 2_000;

  private final Configuration conf;
  private final int timeoutMillis;

  /** A later answer is ignored: the worker may have been declared lost. */
  private final long lateMillis;

  private final UserGroupInformation user;
  private final Secret password;
  private final Secret cacheSecret;
  private final SecureRandom random = new SecureRandom();
  private final long process = random.nextLong();
  private final AtomicLong calls = new AtomicLong(random.nextLong());
  private final String node;
  private @Nullable Session session;

  /**
   * Creates a client.
   *
   * @param configuration of the node
   * @param config how the session's channel is set
   * @param credentials of the worker's container
   * @param worker id of the worker: that of its container
   * @throws IOException when the credentials hold no token of a worker
   */
  public MasterRpcClient(
      Configuration configuration,
      RpcConfig config,
      Credentials credentials,
      String worker,
      String node)
      throws IOException {
    this.conf = config.applyTo(configuration);
    this.timeoutMillis = config.timeoutMillis();
    this.lateMillis = config.silence().toMillis() / 2;
    this.node = node;
    Token<WorkerTokenIdentifier> token = WorkerTokenSecretManager.tokenOf(credentials);
    this.password = Secret.of(token.getPassword());
    this.cacheSecret = WorkerTokenSecretManager.cacheSecretOf(credentials);
    // A user of its own, so that the token is offered to ApplicationMasters alone.
    this.user = UserGroupInformation.createRemoteUser(worker);
    user.addToken(token);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SASL_KEY, 0);
    conf.setBoolean(CommonConfigurationKeys.IPC_CLIENT_PING_KEY, false);
    conf.setBoolean(CommonConfigurationKeysPublic.IPC_CLIENT_TCPNODELAY_KEY, true);
    RPC.setProtocolEngine(conf, WorkerProtocol.class, ProtobufRpcEngine2.class);
  }

  /**
   * Joins the ApplicationMaster at an address.
   *
   * @return the connection that was returned last, if that ApplicationMaster still keeps its
   *     session: what was sent and not received is sent again; otherwise a new one. Not started
   * @throws IOException when no ApplicationMaster of this session answers there, or it refuses
   */
  public MasterConnection dial(String host, int port) throws IOException {
    Joined joined = joinInTime(new InetSocketAddress(host, port));
    Session known = session;
    if (known != null && known.epoch == joined.epoch()) {
      LOG.info("Reconnected to the ApplicationMaster at {}:{}", host, port);
      known.channel = joined.channel();
      return known;
    }
    Session opened = new Session(joined.epoch(), joined.channel(), joined.cacheSecurity());
    session = opened;
    return opened;
  }

  /** The answer of an ApplicationMaster. */
  private record Joined(Channel channel, long epoch, CacheSecurity cacheSecurity) {}

  /**
   * Joins on another thread, with a total time limit. Hadoop's timeouts apply to each read, so a
   * process on the port of a dead ApplicationMaster could block this thread forever by sending a
   * byte now and then.
   */
  private Joined joinInTime(InetSocketAddress address) throws IOException {
    int millis = CONNECT_MILLIS + timeoutMillis;
    FutureTask<Joined> joining =
        new FutureTask<>(() -> join(address)) {
          @Override
          protected void set(Joined joined) {
            super.set(joined);
            if (isCancelled()) {
              joined.channel().close();
            }
          }
        };
    Thread thread = new Thread(joining, "dial-master");
    thread.setDaemon(true);
    thread.start();
    try {
      return joining.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      SocketTimeoutException late =
          new SocketTimeoutException("Not joined " + address + " within " + millis + " ms");
      late.initCause(e);
      throw late;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while joining " + address);
    } finally {
      // Interrupted while it connects, Hadoop's client closes its connection.
      joining.cancel(true);
    }
  }

  private Joined join(InetSocketAddress address) throws IOException {
    Channel channel = new Channel(address);
    boolean isJoined = false;
    try {
      DataInputStream answer =
          channel.call(WorkerProtocol::join, process, out -> out.writeUTF(node));
      long epoch = answer.readLong();
      CacheSecurity cacheSecurity = CacheSecurity.read(answer, cacheSecret);
      isJoined = true;
      return new Joined(channel, epoch, cacheSecurity);
    } finally {
      if (!isJoined) {
        channel.close();
      }
    }
  }

  private interface Method {
    BytesValue call(WorkerProtocol proxy, @Nullable RpcController unused, BytesValue request)
        throws ServiceException;
  }

  /** Calls one ApplicationMaster. */
  private final class Channel {
    private final WorkerProtocol proxy;

    Channel(InetSocketAddress address) throws IOException {
      this.proxy =
          RPC.getProtocolProxy(
                  WorkerProtocol.class,
                  Message.VERSION,
                  address,
                  user,
                  conf,
                  NetUtils.getDefaultSocketFactory(conf),
                  timeoutMillis,
                  null)
              .getProxy();
    }

    /**
     * Calls a method.
     *
     * @param id of the process or the session
     * @return the answer; its signature proves that the ApplicationMaster gave it to this call
     */
    DataInputStream call(Method method, long id, ConsumerRaisingIOE<DataOutputStream> arguments)
        throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeLong(calls.getAndIncrement());
      out.writeLong(id);
      arguments.accept(out);
      byte[] request = bytes.toByteArray();
      byte[] answer = call(method, request);
      if (answer.length < Secret.SIGNATURE_BYTES) {
        throw new IOException("The peer has not signed its answer");
      }
      byte[] signature = Arrays.copyOf(answer, Secret.SIGNATURE_BYTES);
      byte[] body = Arrays.copyOfRange(answer, Secret.SIGNATURE_BYTES, answer.length);
      if (!password.verifies(signature, request, body)) {
        throw new IOException("The peer is not an ApplicationMaster of this session");
      }
      return new DataInputStream(new ByteArrayInputStream(body));
    }

    private byte[] call(Method method, byte[] request) throws IOException {
      BytesValue value = BytesValue.newBuilder().setValue(ByteString.copyFrom(request)).build();
      try {
        return method.call(proxy, null, value).getValue().toByteArray();
      } catch (ServiceException e) {
        if (e.getCause() instanceof RemoteException remote) {
          throw remote.unwrapRemoteException();
        }
        throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
      }
    }

    void close() {
      RPC.stopProxy(proxy);
    }
  }

  /** The session with one ApplicationMaster, over any number of network connections. */
  private final class Session implements MasterConnection {
    private final long epoch;
    private final CacheSecurity cacheSecurity;
    private final Outbox outbox =
        new Outbox(System::nanoTime, answer -> LOG.error("Dropped the answer {}", answer));
    private final CountDownLatch left = new CountDownLatch(1);

    /** Written before the threads that read it start. */
    private Channel channel;

    private final Object receiving = new Object();

    /** The listener of the current connection; null when that has ended. Guarded by receiving. */
    private @Nullable Listener hearing;

    /** How many messages have arrived; guarded by receiving. */
    private long received;

    private @Nullable Thread poller;
    private boolean closed;

    Session(long epoch, Channel channel, CacheSecurity cacheSecurity) {
      this.epoch = epoch;
      this.channel = channel;
      this.cacheSecurity = cacheSecurity;
    }

    @Override
    public CacheSecurity cacheSecurity() {
      return cacheSecurity;
    }

    @Override
    public void send(Message message) {
      outbox.add(message);
    }

    @Override
    public synchronized void start(Listener listener) {
      Channel to = channel;
      synchronized (receiving) {
        hearing = listener;
      }
      Thread polls = new Thread(() -> poll(to, listener), "receive-master");
      polls.setDaemon(true);
      poller = polls;
      polls.start();
    }

    private void poll(Channel to, Listener listener) {
      Thread polls = Thread.currentThread();
      Thread tells = new Thread(() -> tell(to, polls, listener), "send-master");
      tells.setDaemon(true);
      tells.start();
      String reason = "closed here";
      try {
        while (!isClosed()) {
          exchange(to, WorkerProtocol::poll, out -> {}, listener);
        }
      } catch (IOException e) {
        LOG.debug("A poll has failed", e);
        reason = String.valueOf(e.getMessage());
      } catch (RuntimeException | Error e) {
        LOG.error("Cannot process the messages of the ApplicationMaster", e);
        reason = e.toString();
      } finally {
        tells.interrupt();
        if (isClosed()) {
          leave(to);
        }
        to.close();
        synchronized (receiving) {
          hearing = null;
        }
        listener.ended(reason);
      }
    }

    /**
     * Calls a method whose answer has messages.
     *
     * @return how many messages the ApplicationMaster has received
     */
    private long exchange(
        Channel to,
        Method method,
        ConsumerRaisingIOE<DataOutputStream> arguments,
        Listener listener)
        throws IOException {
      long acknowledged = received();
      long began = System.nanoTime();
      DataInputStream answer =
          to.call(
              method,
              epoch,
              out -> {
                out.writeLong(acknowledged);
                arguments.accept(out);
              });
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      if (millis > lateMillis) {
        // This process was paused; the worker may have been declared lost meanwhile.
        throw new SocketTimeoutException("The answer took " + millis + " ms");
      }
      long delivered = answer.readLong();
      long wayMillis = Math.max(0, millis - answer.readLong());
      receive(Batch.read(answer), wayMillis, listener);
      return delivered;
    }

    private long received() {
      synchronized (receiving) {
        return received;
      }
    }

    /** An answer that comes after the end of its connection is ignored: it is repeated. */
    private void receive(Batch batch, long wayMillis, Listener listener) throws IOException {
      synchronized (receiving) {
        if (hearing != listener) {
          return;
        }
        for (Batch.Item item : batch.after(received)) {
          received++;
          listener.received(item.message(wayMillis));
        }
      }
    }

    private void tell(Channel to, Thread polls, Listener listener) {
      try {
        while (!isClosed()) {
          outbox.awaitMessage();
          Batch batch = outbox.batch();
          outbox.acknowledge(exchange(to, WorkerProtocol::tell, batch::write, listener));
        }
      } catch (IOException e) {
        LOG.debug("A delivery has failed", e);
        // Ends the polls now: they use the same connection and would notice only later.
        polls.interrupt();
      } catch (InterruptedException e) {
        LOG.debug("The connection has ended", e);
      } catch (RuntimeException | Error e) {
        // Otherwise the worker would stay connected without sending: it has to reconnect.
        polls.interrupt();
        LOG.error("Cannot send the messages of this worker", e);
      }
    }

    /** Leaves the session, so that the ApplicationMaster need not wait for the silence timeout. */
    private void leave(Channel to) {
      try {
        if (Thread.interrupted()) {
          LOG.debug("The poll has ended before it was answered");
        }
        to.call(WorkerProtocol::leave, epoch, out -> {});
      } catch (IOException e) {
        LOG.debug("Cannot tell the ApplicationMaster that this worker leaves", e);
      } finally {
        left.countDown();
      }
    }

    private synchronized boolean isClosed() {
      return closed;
    }

    @Override
    public void close() {
      Thread polls;
      synchronized (this) {
        closed = true;
        polls = poller;
      }
      if (polls != null && polls.isAlive()) {
        polls.interrupt();
        awaitLeft();
      }
    }

    private void awaitLeft() {
      try {
        if (!left.await(LEAVE_MILLIS, TimeUnit.MILLISECONDS)) {
          LOG.debug("The ApplicationMaster does not answer any more");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

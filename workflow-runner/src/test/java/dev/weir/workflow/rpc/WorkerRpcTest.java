package dev.weir.workflow.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerRpcTest {

  private static final String APPLICATION = "application_1_0001";

  /** Hadoop encrypts with 3DES, which is slow on a loaded machine. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private static final RpcConfig LONG_SILENCE =
      new RpcConfig("authentication", Duration.ofMinutes(5));
  private static final RpcConfig SHORT_SILENCE =
      new RpcConfig("authentication", Duration.ofSeconds(1));

  private final SecureRandom random = new SecureRandom();
  private final Secret masterKey = Secret.generate(random);
  private final WorkerTokenSecretManager tokens =
      new WorkerTokenSecretManager(APPLICATION, masterKey);
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final Master master = new Master();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
  }

  /** Records what an ApplicationMaster receives. */
  private static final class Master implements WorkerRpcServer.Listener {
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<Message> messages = new CopyOnWriteArrayList<>();
    final Map<String, Connection> workers = new ConcurrentHashMap<>();

    @Override
    public void joined(String worker, String node, String address, Connection connection) {
      events.add("joined " + worker + " on " + node + " at " + address);
      workers.put(worker, connection);
    }

    /** Returns the only worker. */
    Connection worker() {
      return requireNonNull(workers.get("w1"));
    }

    @Override
    public void received(String worker, Message message) {
      messages.add(message);
    }

    @Override
    public void lost(String worker, String reason) {
      events.add("left " + worker + ": " + reason);
    }
  }

  /** Records what a worker receives. */
  private static final class Receiver implements MasterConnection.Listener {
    final List<Message> messages = new CopyOnWriteArrayList<>();
    final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void received(Message message) {
      messages.add(message);
    }

    @Override
    public void ended(String reason) {
      ends.add(reason);
    }
  }

  private WorkerRpcServer serve(RpcConfig config) throws IOException {
    return serve(config, new Configuration(false));
  }

  private WorkerRpcServer serve(RpcConfig config, Configuration node) throws IOException {
    WorkerRpcServer server =
        new WorkerRpcServer(node, config, tokens, masterKey, held::contains, master);
    open.add(server);
    server.start();
    return server;
  }

  private MasterRpcClient client(RpcConfig config, String worker) throws IOException {
    Credentials credentials = new Credentials();
    tokens.addToken(worker, credentials);
    return client(config, worker, credentials);
  }

  private static MasterRpcClient client(RpcConfig config, String worker, Credentials credentials)
      throws IOException {
    return new MasterRpcClient(new Configuration(false), config, credentials, worker, "n1");
  }

  private MasterConnection join(WorkerRpcServer server, MasterRpcClient client, Receiver receiver)
      throws IOException {
    MasterConnection connection = client.dial("127.0.0.1", server.port());
    open.add(0, connection);
    connection.start(receiver);
    return connection;
  }

  private MasterConnection join(WorkerRpcServer server, String worker, Receiver receiver)
      throws IOException {
    held.add(worker);
    return join(server, client(LONG_SILENCE, worker), receiver);
  }

  private static Message message(int number) {
    return new Message.ShowLog("message " + number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "integrity", "privacy"})
  void messagesArriveInOrderOnBothSides(String protection) throws IOException {
    RpcConfig config = new RpcConfig(protection, LONG_SILENCE.silence());
    WorkerRpcServer server = serve(config);
    held.add("w1");
    Receiver worker = new Receiver();
    MasterConnection connection = join(server, client(config, "w1"), worker);
    assertThat(master.events).containsExactly("joined w1 on n1 at 127.0.0.1");
    assertThat(connection.cacheSecurity().isEncrypted())
        .isEqualTo(!protection.equals("authentication"));

    List<Message> sent = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      sent.add(message(i));
      connection.send(message(i));
      master.worker().send(message(i));
    }

    await().untilAsserted(() -> assertThat(master.messages).isEqualTo(sent));
    await().untilAsserted(() -> assertThat(worker.messages).isEqualTo(sent));
  }

  @Test
  void leavingWorkerEndsAtOnceAndOnce() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Receiver worker = new Receiver();
    MasterConnection connection = join(server, "w1", worker);

    connection.close();

    await().untilAsserted(() -> assertThat(worker.ends).hasSize(1));
    assertThat(master.events).hasSize(2).last().isEqualTo("left w1: it has left");
  }

  @Test
  void silentWorkerCountsAsLost() throws IOException {
    WorkerRpcServer server = serve(SHORT_SILENCE);
    held.add("w1");
    MasterRpcClient client = client(SHORT_SILENCE, "w1");
    open.add(client.dial("127.0.0.1", server.port()));

    await()
        .untilAsserted(
            () -> assertThat(master.events).last().isEqualTo("left w1: nothing heard for 1000 ms"));
  }

  @Test
  void idleWorkerIsKept() throws IOException {
    WorkerRpcServer server = serve(SHORT_SILENCE);
    held.add("w1");
    Receiver worker = new Receiver();
    join(server, client(SHORT_SILENCE, "w1"), worker);

    await().during(Duration.ofSeconds(2)).untilAsserted(() -> assertThat(master.events).hasSize(1));
    assertThat(worker.ends).isEmpty();
  }

  @Test
  void cutLinksLoseAndRepeatNoMessage() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    held.add("w1");
    MasterRpcClient client = client(LONG_SILENCE, "w1");
    Receiver worker = new Receiver();
    List<Message> sent = new ArrayList<>();
    try (CuttableProxy link = new CuttableProxy(server.port())) {
      MasterConnection connection = client.dial("127.0.0.1", link.port());
      open.add(0, connection);
      for (int cut = 0; cut < 5; cut++) {
        connection.start(worker);
        for (int i = 0; i < 200; i++) {
          Message next = message(sent.size());
          sent.add(next);
          connection.send(next);
          master.worker().send(next);
        }
        int cuts = cut + 1;
        link.cut();
        await().untilAsserted(() -> assertThat(worker.ends).hasSize(cuts));
        Message lost = message(sent.size());
        sent.add(lost);
        connection.send(lost);
        master.worker().send(lost);
        assertThat(client.dial("127.0.0.1", link.port())).isSameAs(connection);
      }
      connection.start(worker);

      await().untilAsserted(() -> assertThat(master.messages).hasSize(sent.size()));
      await().untilAsserted(() -> assertThat(worker.messages).hasSize(sent.size()));
    }
    assertThat(master.messages).isEqualTo(sent);
    assertThat(worker.messages).isEqualTo(sent);
    assertThat(master.events).hasSize(1);
  }

  @Test
  void workerJoinsAnotherMasterOfTheSession() throws IOException {
    WorkerRpcServer first = serve(LONG_SILENCE);
    held.add("w1");
    MasterRpcClient client = client(LONG_SILENCE, "w1");
    Receiver receiver = new Receiver();
    MasterConnection connection = join(first, client, receiver);
    first.close();
    await().untilAsserted(() -> assertThat(receiver.ends).hasSize(1));

    WorkerRpcServer second = serve(LONG_SILENCE);
    Receiver again = new Receiver();
    MasterConnection next = join(second, client, again);

    assertThat(next).isNotSameAs(connection);
    next.send(message(1));
    await().untilAsserted(() -> assertThat(master.messages).containsExactly(message(1)));
    assertThat(next.cacheSecurity().secret().toHex())
        .as("open caches continue")
        .isEqualTo(connection.cacheSecurity().secret().toHex());
  }

  @Test
  void secondProcessOfAContainerIsRefused() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Receiver first = new Receiver();
    MasterConnection connection = join(server, "w1", first);

    assertThatThrownBy(() -> join(server, "w1", new Receiver()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has joined already");

    connection.send(message(1));
    await().untilAsserted(() -> assertThat(master.messages).containsExactly(message(1)));
  }

  @Test
  void unknownContainerIsRefused() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);

    assertThatThrownBy(() -> join(server, client(LONG_SILENCE, "w1"), new Receiver()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no container of this session");
    assertThat(master.events).isEmpty();
  }

  /** Calls the server with a token, as a stranger could. */
  private static void call(WorkerRpcServer server, UserGroupInformation user) throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, WorkerProtocol.class, ProtobufRpcEngine2.class);
    WorkerProtocol proxy =
        RPC.getProxy(
            WorkerProtocol.class,
            Message.VERSION,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
            user,
            conf,
            javax.net.SocketFactory.getDefault());
    try {
      proxy.join(null, BytesValue.getDefaultInstance());
    } catch (ServiceException e) {
      throw (IOException) e.getCause();
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  private static UserGroupInformation user(String name, byte[] identifier, byte[] password) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    user.addToken(new Token<>(identifier, password, WorkerTokenIdentifier.KIND, new Text()));
    return user;
  }

  @Test
  void callerWithoutTokenIsRefusedEvenWithoutKerberos() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    held.add("w1");
    assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();

    assertThatThrownBy(() -> call(server, UserGroupInformation.createRemoteUser("w1")))
        .hasMessageContaining("SIMPLE authentication is not enabled");
  }

  @Test
  void wrongPasswordIsRefused() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Token<WorkerTokenIdentifier> token = tokens.token("w1");

    assertThatThrownBy(() -> call(server, user("w1", token.getIdentifier(), new byte[32])))
        .hasMessageContaining("DIGEST-MD5");
  }

  @Test
  void tokenOfOneContainerCannotActAsAnother() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    held.add("w2");
    Token<WorkerTokenIdentifier> mine = tokens.token("w1");
    byte[] theirs = new WorkerTokenIdentifier(APPLICATION, "w2").getBytes();

    assertThatThrownBy(() -> call(server, user("w2", theirs, mine.getPassword())))
        .as("one container's password with another's name")
        .hasMessageContaining("DIGEST-MD5");
    Credentials credentials = new Credentials();
    tokens.addToken("w1", credentials);
    assertThatThrownBy(() -> join(server, client(LONG_SILENCE, "w2", credentials), new Receiver()))
        .as("another user name, which the server ignores")
        .hasMessageContaining("w1 is no container of this session");
  }

  @Test
  void tokenOfAnotherSessionIsRefused() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Token<WorkerTokenIdentifier> token =
        new WorkerTokenSecretManager("application_1_0002", masterKey).token("w1");

    assertThatThrownBy(() -> call(server, user("w1", token.getIdentifier(), token.getPassword())))
        .hasMessageContaining("a token of application_1_0002");
  }

  @Test
  void serviceAuthorizationOfTheClusterDoesNotRefuseWorkers() throws IOException {
    Configuration node = new Configuration(false);
    node.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
    WorkerRpcServer server = serve(LONG_SILENCE, node);

    join(server, "w1", new Receiver());

    assertThat(master.events).hasSize(1);
  }

  /** The same protocol behind a server that requires no authentication, like an impostor's. */
  @Test
  void workerRefusesAServerWithoutAuthentication() throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, WorkerProtocol.class, ProtobufRpcEngine2.class);
    RPC.Server impostor =
        new RPC.Builder(conf)
            .setProtocol(WorkerProtocol.class)
            .setInstance(new UnauthenticatedServer())
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .build();
    impostor.start();
    try {
      MasterRpcClient client = client(LONG_SILENCE, "w1");

      assertThatThrownBy(() -> client.dial("127.0.0.1", impostor.getListenerAddress().getPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not an ApplicationMaster of this session");
    } finally {
      impostor.stop();
    }
  }

  private static String randomText() {
    byte[] randomText = new byte[8 << 20];
    new Random(1).nextBytes(randomText);
    return Base64.getEncoder().encodeToString(randomText);
  }

  private static TaskReport report(String task, String message) {
    return new TaskReport(
        task,
        2,
        TaskReport.Result.SUCCEEDED,
        0,
        message,
        "",
        List.of(),
        List.of(),
        TaskReport.Usage.NONE);
  }

  private static Message.Run order(String task, String command) {
    return new Message.Run(
        new TaskOrder(
            task,
            2,
            "1",
            List.of(command),
            List.of(),
            List.of(),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE));
  }

  @Test
  void tooLongReportFailsItsTaskOnly() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Receiver worker = new Receiver();
    MasterConnection connection = join(server, "w1", worker);

    connection.send(new Message.Ended(report("long", randomText())));
    connection.send(new Message.Ended(report("short", "")));

    await().untilAsserted(() -> assertThat(master.messages).hasSize(2));
    TaskReport refused = ((Message.Ended) master.messages.get(0)).report();
    assertThat(refused.task()).isEqualTo("long");
    assertThat(refused.result()).isEqualTo(TaskReport.Result.REFUSED);
    assertThat(refused.message()).contains("exceeds the limit of", "archives");
    assertThat(master.messages.get(1)).isEqualTo(new Message.Ended(report("short", "")));
    assertThat(worker.ends).isEmpty();
  }

  @Test
  void tooLongOrderIsRefusedAndTheWorkerContinues() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    Receiver worker = new Receiver();
    join(server, "w1", worker);

    master.worker().send(order("long", randomText()));
    master.worker().send(order("short", "true"));

    await()
        .untilAsserted(() -> assertThat(worker.messages).containsExactly(order("short", "true")));
    await().untilAsserted(() -> assertThat(master.messages).hasSize(1));
    TaskReport refused = ((Message.Ended) master.messages.get(0)).report();
    assertThat(refused.task()).isEqualTo("long");
    assertThat(refused.result()).isEqualTo(TaskReport.Result.REFUSED);
    assertThat(refused.message()).contains("its order to a worker is too long", "archives");
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "privacy"})
  void longestMessagesAreDelivered(String protection) throws IOException {
    RpcConfig config = new RpcConfig(protection, LONG_SILENCE.silence());
    WorkerRpcServer server = serve(config);
    held.add("w1");
    Receiver worker = new Receiver();
    MasterConnection connection = join(server, client(config, "w1"), worker);
    // Deflated Base64 has three quarters of its length.
    String most = randomText().substring(0, 5 << 20);

    connection.send(new Message.Ended(report("t", most)));
    master.worker().send(order("t", most));

    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(master.messages).containsExactly(new Message.Ended(report("t", most))));
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(worker.ends).isEmpty();
              assertThat(worker.messages).hasSize(1);
            });
    assertThat(worker.messages.get(0).equals(order("t", most))).isTrue();
  }

  @Test
  void slowConnectionsBlockNoWorker() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    List<Socket> drips = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        Socket drip = new Socket(InetAddress.getLoopbackAddress(), server.port());
        drips.add(drip);
        drip.getOutputStream().write('h');
      }
      Receiver worker = new Receiver();
      MasterConnection connection = join(server, "w1", worker);
      for (Socket drip : drips) {
        drip.getOutputStream().write('r');
      }
      connection.send(message(1));
      master.worker().send(message(2));

      await().untilAsserted(() -> assertThat(master.messages).containsExactly(message(1)));
      await().untilAsserted(() -> assertThat(worker.messages).containsExactly(message(2)));
    } finally {
      for (Socket drip : drips) {
        drip.close();
      }
    }
  }

  /** Each read gets a byte in time, but the frame never ends. */
  @Test
  void slowServerInPlaceOfAMasterBlocksNoWorker() throws Exception {
    ScheduledExecutorService drips = Executors.newSingleThreadScheduledExecutor();
    open.add(drips::shutdownNow);
    try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      RpcConfig config = new RpcConfig("authentication", Duration.ofSeconds(6));
      MasterRpcClient client = client(config, "w1");
      CompletableFuture<Void> accepted =
          CompletableFuture.runAsync(
              () -> {
                try {
                  Socket worker = impostor.accept();
                  open.add(worker);
                  worker.getOutputStream().write(new byte[] {0, 0, 4, 0});
                  var unused =
                      drips.scheduleAtFixedRate(() -> drip(worker), 50, 50, TimeUnit.MILLISECONDS);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });

      assertThatThrownBy(() -> client.dial("127.0.0.1", impostor.getLocalPort()))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("Not joined");
      accepted.join();
    }
  }

  private static void drip(Socket worker) {
    try {
      worker.getOutputStream().write(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void failureOfTheListenerIsTheReasonOfTheEnd() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    held.add("w1");
    List<String> ends = new CopyOnWriteArrayList<>();
    MasterConnection connection = client(LONG_SILENCE, "w1").dial("127.0.0.1", server.port());
    open.add(0, connection);
    connection.start(
        new MasterConnection.Listener() {
          @Override
          public void received(Message message) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void ended(String reason) {
            ends.add(reason);
          }
        });

    master.worker().send(message(1));

    await()
        .untilAsserted(
            () -> assertThat(ends).containsExactly("java.lang.IllegalStateException: on purpose"));
  }

  @Test
  void strangersOnlyLoseTheirConnections() throws IOException {
    WorkerRpcServer server = serve(LONG_SILENCE);
    for (byte[] message : new byte[][] {"GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8), {0, 0}, {-1}}) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.getOutputStream().write(message);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
    }

    join(server, "w1", new Receiver());

    assertThat(master.events).hasSize(1);
  }
}

package dev.weir.workflow.am;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerServerTest {

  private final SecureRandom random = new SecureRandom();
  private final Secret secret = Secret.generate(random);
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Connection> guests = new CopyOnWriteArrayList<>();
  private WorkerServer server;

  @BeforeEach
  void serve() throws IOException {
    server =
        new WorkerServer(
            new Handshake(secret, random, Connection.Timing.DEFAULT),
            new Recorder(),
            node -> "/rack-of-" + node);
    server.start();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
    guests.forEach(Connection::close);
    server.close();
  }

  /** Writes down what happens. */
  private final class Recorder implements WorkerServer.Guests {
    @Override
    public void joined(WorkerInfo worker, Connection connection) {
      guests.add(connection);
      events.add("joined " + worker);
    }

    @Override
    public void said(String worker, Message message) {
      events.add(worker + " said " + message);
    }

    @Override
    public void left(String worker, String reason) {
      events.add("left " + worker);
    }
  }

  /** What a worker hears; nothing matters but the end. */
  private static final class Ends implements Connection.Listener {
    final List<String> reasons = new CopyOnWriteArrayList<>();

    @Override
    public void received(Message message) {}

    @Override
    public void ended(String reason) {
      reasons.add(reason);
    }
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    open.add(socket);
    return socket;
  }

  private Connection join(Secret known, String worker, Ends ends) throws IOException {
    Connection connection =
        new Handshake(known, random, Connection.Timing.DEFAULT).join(dial(), worker, "n1");
    connection.start(ends);
    open.add(connection);
    return connection;
  }

  private static String joined(String worker) {
    return "joined " + new WorkerInfo(worker, "n1", "/rack-of-n1");
  }

  private void awaitEvents(String... expected) {
    await().untilAsserted(() -> assertThat(events).containsExactly(expected));
  }

  @Test
  void aWorkerComesSpeaksAndGoes() throws IOException {
    Connection worker = join(secret, "w1", new Ends());
    awaitEvents(joined("w1"));
    assertThat(server.present().size()).isEqualTo(1);

    Message message = new Message.Refused("something");
    worker.send(message);
    awaitEvents(joined("w1"), "w1 said " + message);
    worker.close();

    awaitEvents(joined("w1"), "w1 said " + message, "left w1");
    assertThat(server.present().size()).isZero();
  }

  @Test
  void whoDoesNotKnowTheSecretIsNotHeardOf() throws IOException {
    assertThatThrownBy(() -> join(Secret.generate(random), "w1", new Ends()))
        .isInstanceOf(IOException.class);
    join(secret, "w2", new Ends());

    awaitEvents(joined("w2"));
  }

  @Test
  void aWorkerThatConnectsTwiceKeepsItsFirstConnection() throws IOException {
    Ends first = new Ends();
    Connection worker = join(secret, "w1", first);
    awaitEvents(joined("w1"));
    Ends second = new Ends();
    join(secret, "w1", second);

    await().untilAsserted(() -> assertThat(second.reasons).hasSize(1));
    worker.send(new Message.Heartbeat());
    worker.send(new Message.Refused("still here"));
    await().untilAsserted(() -> assertThat(events).hasSize(2));
    assertThat(events).doesNotContain("left w1");
    assertThat(first.reasons).isEmpty();
  }

  @Test
  void aWorkerMayComeBackUnderItsName() throws IOException {
    join(secret, "w1", new Ends()).close();
    awaitEvents(joined("w1"), "left w1");

    join(secret, "w1", new Ends());

    awaitEvents(joined("w1"), "left w1", joined("w1"));
  }

  @Test
  void strangersCostTheirConnectionsAndNothingElse() throws IOException {
    List<byte[]> words =
        List.of(
            "GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8),
            frame("{}"),
            frame("null"),
            frame("{\"type\":\"hello\"}"),
            frame("{\"type\":\"hello\",\"version\":" + Message.VERSION + "}"),
            frame("{\"type\":\"no-such-message\"}"),
            frame("{\"type\":\"shutdown\"}"),
            new byte[] {0, 0});
    for (byte[] said : words) {
      Socket socket = dial();
      socket.getOutputStream().write(said);
      socket.shutdownOutput();
      // The challenge, perhaps a refusal, then the end.
      socket.getInputStream().transferTo(new ByteArrayOutputStream());
    }

    join(secret, "w1", new Ends());

    awaitEvents(joined("w1"));
    assertThat(server.present().size()).isEqualTo(1);
  }

  private static byte[] frame(String json) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] body = json.getBytes(UTF_8);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(body.length);
    out.write(body);
    return bytes.toByteArray();
  }
}

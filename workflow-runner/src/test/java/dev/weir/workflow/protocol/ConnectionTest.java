package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionTest {

  private static final Connection.Timing PATIENT =
      new Connection.Timing(Duration.ofMillis(50), Duration.ofSeconds(60));
  private static final Connection.Timing HASTY =
      new Connection.Timing(Duration.ofMillis(50), Duration.ofMillis(500));

  /** Forty heartbeats may be late, as on a machine with too much to do, before it is silence. */
  private static final Connection.Timing IDLE =
      new Connection.Timing(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final SecureRandom random = new SecureRandom();
  private final Secret secret = Secret.generate(random);
  private final List<AutoCloseable> open = new ArrayList<>();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    open.add(server);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
  }

  /** What one side hears. */
  private static final class Heard implements Connection.Listener {
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

  private record Pair(Handshake.Guest guest, Connection worker) {}

  private Socket dial() throws IOException {
    Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
    open.add(socket);
    return socket;
  }

  private Pair connect(Secret masters, Secret workers, Connection.Timing timing)
      throws IOException, ExecutionException, InterruptedException {
    Socket socket = dial();
    Socket accepted = server.accept();
    open.add(accepted);
    CompletableFuture<Handshake.Guest> guest =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new Handshake(masters, random, timing).accept(accepted);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Connection worker = new Handshake(workers, random, timing).join(socket, "w1", "n1");
    return new Pair(guest.get(), worker);
  }

  @Test
  void bothSidesHearEachOtherInOrder() throws Exception {
    Pair pair = connect(secret, Secret.fromHex(secret.toHex()), PATIENT);
    assertThat(pair.guest().id()).isEqualTo("w1");
    assertThat(pair.guest().node()).isEqualTo("n1");
    Heard master = new Heard();
    Heard worker = new Heard();
    pair.guest().connection().start(master);
    pair.worker().start(worker);

    List<Message> sent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sent.add(new Message.Refused("message " + i));
    }
    sent.forEach(pair.worker()::send);
    pair.guest().connection().send(new Message.Welcome("all"));

    await().untilAsserted(() -> assertThat(master.messages).isEqualTo(sent));
    await()
        .untilAsserted(
            () -> assertThat(worker.messages).containsExactly(new Message.Welcome("all")));
  }

  @Test
  void aWorkerWithoutTheSecretIsRefused() {
    assertThatThrownBy(() -> connect(secret, Secret.generate(random), PATIENT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not know the secret of this run");
  }

  @Test
  void aMasterWithoutTheSecretIsNotBelieved() throws Exception {
    Socket socket = dial();
    Socket accepted = server.accept();
    open.add(accepted);
    Connection impostor = new Connection(accepted, "test", PATIENT);
    CompletableFuture<Void> answering =
        CompletableFuture.runAsync(
            () -> {
              try {
                impostor.writeNow(new Message.Challenge(Message.VERSION, "nonce"));
                Message.Hello hello = (Message.Hello) impostor.readNow();
                // What it can do is to send the worker's own proof back.
                impostor.writeNow(new Message.Welcome(hello.proof()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    assertThatThrownBy(() -> new Handshake(secret, random, PATIENT).join(socket, "w", "n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not know the secret");
    answering.get();
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    Socket socket = dial();
    Socket accepted = server.accept();
    open.add(accepted);
    Connection future = new Connection(socket, "test", PATIENT);
    future.writeNow(new Message.Hello(99, "w", "n", "nonce", "proof"));

    assertThatThrownBy(() -> new Handshake(secret, random, PATIENT).accept(accepted))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 99");
  }

  @Test
  void aPeerThatGoesIsNoticedOnce() throws Exception {
    Pair pair = connect(secret, secret, PATIENT);
    Heard master = new Heard();
    pair.guest().connection().start(master);

    pair.worker().close();

    await().untilAsserted(() -> assertThat(master.ends).hasSize(1));
    pair.guest().connection().close();
    assertThat(master.ends).hasSize(1);
  }

  @Test
  void aSilentPeerIsTakenForDead() throws Exception {
    Pair pair = connect(secret, secret, HASTY);
    Heard master = new Heard();
    // The worker's threads do not run: nothing comes, not even heartbeats.
    pair.guest().connection().start(master);

    await()
        .untilAsserted(() -> assertThat(master.ends).containsExactly("nothing heard for 500 ms"));
  }

  @Test
  void heartbeatsKeepAnIdleConnection() throws Exception {
    Pair pair = connect(secret, secret, IDLE);
    Heard master = new Heard();
    Heard worker = new Heard();
    pair.guest().connection().start(master);
    pair.worker().start(worker);

    await().during(Duration.ofSeconds(3)).untilAsserted(() -> assertThat(master.ends).isEmpty());
    assertThat(worker.ends).isEmpty();
    assertThat(master.messages).isEmpty();
  }

  private static String tooMuch() {
    return "x".repeat(Frames.MAX_BYTES);
  }

  private static TaskReport report(String task, String said) {
    return new TaskReport(
        task,
        2,
        TaskReport.Result.SUCCEEDED,
        0,
        said,
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
            Needs.ONE_CORE));
  }

  @Test
  void aReportThatIsTooLongFailsItsTaskAndNotTheConnection() throws Exception {
    Pair pair = connect(secret, secret, PATIENT);
    Heard master = new Heard();
    pair.guest().connection().start(master);
    pair.worker().start(new Heard());

    pair.worker().send(new Message.Ended(report("long", tooMuch())));
    pair.worker().send(new Message.Ended(report("short", "")));

    await().untilAsserted(() -> assertThat(master.messages).hasSize(2));
    assertThat(((Message.Ended) master.messages.get(0)).report())
        .satisfies(
            report -> {
              assertThat(report.task()).isEqualTo("long");
              assertThat(report.attempt()).isEqualTo(2);
              assertThat(report.result()).isEqualTo(TaskReport.Result.REFUSED);
              assertThat(report.message()).contains("over the limit of", "archives");
            });
    assertThat(master.messages.get(1)).isEqualTo(new Message.Ended(report("short", "")));
    assertThat(master.ends).isEmpty();
  }

  @Test
  void anOrderThatIsTooLongIsAnsweredAsRefusedAndTheWorkerGoesOn() throws Exception {
    Pair pair = connect(secret, secret, PATIENT);
    Heard master = new Heard();
    Heard worker = new Heard();
    pair.guest().connection().start(master);
    pair.worker().start(worker);

    pair.guest().connection().send(order("long", tooMuch()));
    pair.guest().connection().send(order("short", "true"));

    await().untilAsserted(() -> assertThat(worker.messages).hasSize(1));
    assertThat(worker.messages).containsExactly(order("short", "true"));
    assertThat(master.messages)
        .singleElement()
        .satisfies(
            answer -> {
              TaskReport report = ((Message.Ended) answer).report();
              assertThat(report.task()).isEqualTo("long");
              assertThat(report.result()).isEqualTo(TaskReport.Result.REFUSED);
              assertThat(report.message()).contains("no worker can be told", "archives");
            });
    assertThat(worker.ends).isEmpty();
  }

  @Test
  void whatIsTooLongAndOfNoTaskEndsTheConnection() throws Exception {
    Pair pair = connect(secret, secret, PATIENT);
    Heard master = new Heard();
    pair.guest().connection().start(master);
    pair.worker().start(new Heard());

    pair.worker().send(new Message.Refused(tooMuch()));

    await().untilAsserted(() -> assertThat(master.ends).hasSize(1));
    assertThat(master.messages).isEmpty();
  }
}

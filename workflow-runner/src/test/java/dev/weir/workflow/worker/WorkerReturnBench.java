package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A worker, the ApplicationMasters that it may find one after the other, and tasks for it. */
abstract class WorkerReturnBench {

  private final Handshake handshake =
      new Handshake(
          Secret.generate(new SecureRandom()), new SecureRandom(), Connection.Timing.DEFAULT);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final List<Connection> masters = new ArrayList<>();

  /** One for each ApplicationMaster that the worker may find. */
  final Semaphore next = new Semaphore(0);

  private final List<String> marks = new CopyOnWriteArrayList<>();
  volatile boolean inVain;
  volatile @Nullable MasterLink link;
  @TempDir Path temp;
  private ServerSocket server;
  Future<?> working;
  Master master;

  /** What an ApplicationMaster hears. */
  static final class Master implements Connection.Listener {
    final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();

    @Override
    public void received(Message message) {
      heard.add(message);
    }

    @Override
    public void ended(String reason) {}

    Message next() throws InterruptedException {
      return requireNonNull(heard.poll(1, TimeUnit.MINUTES), "no message has come");
    }

    void hearsEnd(String task, Result result) throws InterruptedException {
      Message message = next();
      while (message instanceof Message.MayCommit) {
        // Who does not know whether it was heard asks twice.
        message = next();
      }
      assertThat(message).isInstanceOf(Message.Ended.class);
      assertThat(((Message.Ended) message).report().task()).isEqualTo(task);
      assertThat(((Message.Ended) message).report().result()).isEqualTo(result);
    }

    /** What the worker says that it has, without for how long. */
    List<HeldAttempt> hearsHand() throws InterruptedException {
      Message message = next();
      assertThat(message).isInstanceOf(Message.InHand.class);
      return ((Message.InHand) message)
          .attempts().stream()
              .map(
                  held ->
                      new HeldAttempt(
                          held.task(), held.attempt(), 0, held.mayCommit(), held.ended()))
              .toList();
    }
  }

  @BeforeEach
  void connect() throws Exception {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    working =
        threads.submit(
            () -> {
              MasterLink toMaster = new MasterLink(dial(), this::find, System::nanoTime);
              link = toMaster;
              TestTools.worker(
                      new DirectoryStore(temp),
                      temp,
                      TestTools.of(threads, shells),
                      toMaster,
                      new NotKept())
                  .work();
              return null;
            });
    master = accept();
  }

  /** Nobody wants to see what commands print; that somebody asks shows what has been heard. */
  private final class NotKept implements Printed {
    @Override
    public void ended(TaskOrder order, TaskReport report) {}

    @Override
    public void over(TaskOrder order) {}

    @Override
    public void wanted(String task) {
      marks.add(task);
    }
  }

  /** Waits until the worker has heard all that was sent. */
  void awaitHeard() {
    String mark = UUID.randomUUID().toString();
    send(new Message.ShowLog(mark));
    await().until(() -> marks.contains(mark));
  }

  private Connection dial() throws IOException {
    return handshake.join(new Socket(server.getInetAddress(), server.getLocalPort()), "w1", "n1");
  }

  private @Nullable Connection find() throws InterruptedException {
    next.acquire();
    try {
      return inVain ? null : dial();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Master accept() throws IOException {
    Connection connection = handshake.accept(server.accept()).connection();
    masters.add(connection);
    Master taken = new Master();
    connection.start(taken);
    return taken;
  }

  Master another() throws IOException {
    next.release();
    return accept();
  }

  void send(Message message) {
    masters.get(masters.size() - 1).send(message);
  }

  void die() {
    masters.get(masters.size() - 1).close();
  }

  @AfterEach
  void stop() throws Exception {
    inVain = true;
    next.release(10);
    masters.forEach(Connection::close);
    server.close();
    threads.shutdownNow();
    shells.close();
    guard.close();
  }

  static Message.Run run(String task, String script) {
    return new Message.Run(TaskOrders.making(task, script));
  }

  Message.Run waiting(String task) {
    return waiting(task, "echo 1 > " + task + ".out");
  }

  Message.Run failing(String task) {
    return waiting(task, "exit 9");
  }

  Message.Run waiting(String task, String then) {
    return run(
        task,
        "echo $$ >> "
            + temp.resolve("begun-" + task)
            + "; until [ -e "
            + temp.resolve("go-" + task)
            + " ]; do sleep 0.05; done; "
            + then);
  }

  /** Waits until the command of a task that waits has noted its process. */
  void awaitBegun(String task) {
    Path begun = temp.resolve("begun-" + task);
    // A shell makes a file before it writes to it.
    await().until(() -> Files.exists(begun) && Files.size(begun) > 0);
  }

  static HeldAttempt ended(String task, boolean mayCommit) {
    return new HeldAttempt(task, 1, 0, mayCommit, true);
  }

  static HeldAttempt held(String task) {
    return new HeldAttempt(task, 1, 0, false, false);
  }
}

package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.rpc.MasterConnection;
import dev.weir.workflow.transfer.DirectoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A worker, the ApplicationMasters that it may find one after another, and tasks for it. */
abstract class WorkerReturnTestBase {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final List<Master> masters = new CopyOnWriteArrayList<>();

  /** One permit for each ApplicationMaster that the worker may find. */
  final Semaphore next = new Semaphore(0);

  private final List<String> requests = new CopyOnWriteArrayList<>();
  volatile boolean findsNone;
  volatile @Nullable MasterLink link;
  @TempDir Path temp;
  Future<?> working;
  Master master;

  /** An ApplicationMaster that records what it receives. */
  static final class Master {
    final FakeMasterConnection connection = new FakeMasterConnection();
    final BlockingQueue<Message> received = connection.received;

    Message next() throws InterruptedException {
      return requireNonNull(received.poll(1, TimeUnit.MINUTES), "no message has come");
    }

    void receivesEnd(String task, Result result) throws InterruptedException {
      Message message = next();
      while (message instanceof Message.MayCommit) {
        // A worker asks again if it does not know whether its question arrived.
        message = next();
      }
      assertThat(message).isInstanceOf(Message.Ended.class);
      assertThat(((Message.Ended) message).report().task()).isEqualTo(task);
      assertThat(((Message.Ended) message).report().result()).isEqualTo(result);
    }

    /** The attempts that the worker reports on its return, without their ages. */
    List<HeldAttempt> receivesHeldAttempts() throws InterruptedException {
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
    master = new Master();
    masters.add(master);
    MasterLink toMaster = new MasterLink(master.connection, this::find, System::nanoTime);
    link = toMaster;
    working =
        threads.submit(
            () -> {
              TestTools.worker(
                      new DirectoryStore(temp),
                      temp,
                      TestTools.of(threads, shells),
                      toMaster,
                      new RecordingOutput())
                  .work();
              return null;
            });
  }

  /** Keeps no logs, but records requests, which show what the worker has received. */
  private final class RecordingOutput implements CommandOutput {
    @Override
    public void ended(TaskOrder order, TaskReport report) {}

    @Override
    public void finished(TaskOrder order) {}

    @Override
    public void requested(String task) {
      requests.add(task);
    }
  }

  /** Waits until the worker has received all messages. */
  void awaitReceived() {
    String mark = UUID.randomUUID().toString();
    send(new Message.ShowLog(mark));
    await().until(() -> requests.contains(mark));
  }

  private @Nullable MasterConnection find() throws InterruptedException {
    next.acquire();
    return findsNone ? null : last().connection;
  }

  private Master last() {
    return masters.get(masters.size() - 1);
  }

  /** Lets the worker find another ApplicationMaster. */
  Master another() {
    Master taken = new Master();
    masters.add(taken);
    next.release();
    return taken;
  }

  /** Lets the worker find the same ApplicationMaster, which has kept its session. */
  void same() {
    next.release();
  }

  void send(Message message) {
    last().connection.deliver(message);
  }

  void die() {
    last().connection.die();
  }

  @AfterEach
  void stop() throws Exception {
    findsNone = true;
    next.release(10);
    masters.forEach(one -> one.connection.close());
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

  /** Waits until the command of a waiting task has written its process id. */
  void awaitBegun(String task) {
    Path begun = temp.resolve("begun-" + task);
    // The shell creates a file before it writes to it.
    await().until(() -> Files.exists(begun) && Files.size(begun) > 0);
  }

  static HeldAttempt ended(String task, boolean mayCommit) {
    return new HeldAttempt(task, 1, 0, mayCommit, true);
  }

  static HeldAttempt held(String task) {
    return new HeldAttempt(task, 1, 0, false, false);
  }
}

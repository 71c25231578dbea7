package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Needs;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose ApplicationMaster is gone goes on, and comes to the next one. */
class WorkerReturnTest {

  private final Handshake handshake =
      new Handshake(
          Secret.generate(new SecureRandom()), new SecureRandom(), Connection.Timing.DEFAULT);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final List<Connection> masters = new ArrayList<>();

  /** One for each ApplicationMaster that the worker may find. */
  private final Semaphore next = new Semaphore(0);

  private final List<String> marks = new CopyOnWriteArrayList<>();
  private volatile boolean inVain;
  private volatile @Nullable MasterLink link;
  @TempDir private Path temp;
  private ServerSocket server;
  private Future<?> working;
  private Master master;

  /** What an ApplicationMaster hears. */
  private static final class Master implements Connection.Listener {
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

    private void hearsEnd(String task, Result result) throws InterruptedException {
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
              new Worker(
                      new TaskRunner(
                          new DirectoryStore(temp),
                          new TaskRunner.Places(
                              temp.resolve("sandboxes"), temp, CommandEnvironment.base(Map.of())),
                          new TaskRunner.Tools(
                              new Transfers(threads, threads, threads, 64 << 20),
                              shells,
                              System::nanoTime)),
                      new Gate(1, 1L << 30),
                      Executors.newCachedThreadPool(),
                      toMaster,
                      new Worker.Aides(new NotKept(), turn -> {}))
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
  private void awaitHeard() {
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

  private Master another() throws IOException {
    next.release();
    return accept();
  }

  private void send(Message message) {
    masters.get(masters.size() - 1).send(message);
  }

  private void die() {
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

  private static Message.Run run(String task, String script) {
    FileSlot output = new FileSlot(task + ".out", "/" + task + ".out", 0);
    return new Message.Run(
        new TaskOrder(
            task,
            1,
            "1-1",
            List.of("sh", "-c", script),
            List.of(),
            List.of(output),
            Map.of(),
            false,
            0,
            Needs.ONE_CORE));
  }

  private Message.Run waiting(String task) {
    return waiting(task, "echo 1 > " + task + ".out");
  }

  private Message.Run failing(String task) {
    return waiting(task, "exit 9");
  }

  private Message.Run waiting(String task, String then) {
    return run(
        task,
        "echo $$ >> "
            + temp.resolve("begun-" + task)
            + "; until [ -e "
            + temp.resolve("go-" + task)
            + " ]; do sleep 0.05; done; "
            + then);
  }

  private void awaitBegun(String task) {
    await().until(() -> Files.exists(temp.resolve("begun-" + task)));
  }

  private static HeldAttempt ended(String task, boolean mayCommit) {
    return new HeldAttempt(task, 1, 0, mayCommit, true);
  }

  private static HeldAttempt held(String task) {
    return new HeldAttempt(task, 1, 0, false, false);
  }

  @Test
  void whatRunsAndWhatWaitsGoesOn() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    send(run("second", "echo 2 > second.out"));
    awaitHeard();

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"), held("second"));
    Files.createFile(temp.resolve("go-first"));
    assertThat(endsOfPermitted(second)).isEqualTo("first");
    assertThat(endsOfPermitted(second)).isEqualTo("second");
    assertThat(Files.readAllLines(temp.resolve("begun-first"))).as("once").hasSize(1);
    assertThat(temp.resolve("second.out")).hasContent("2");
    send(run("third", "echo 3 > third.out"));
    second.hearsEnd("third", Result.SUCCEEDED);
  }

  /** The next task that has ended, where all that were begun under another master ask. */
  private String endsOfPermitted(Master asked) throws InterruptedException {
    Message message = asked.next();
    while (message instanceof Message.MayCommit question) {
      send(new Message.Permit(question.task(), 1, true));
      message = asked.next();
    }
    TaskReport report = ((Message.Ended) message).report();
    assertThat(report.result()).isEqualTo(Result.SUCCEEDED);
    return report.task();
  }

  @Test
  void whatEndsWhileThereIsNoMasterIsToldToTheNext() throws Exception {
    send(failing("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitHeard();
    die();
    Files.createFile(temp.resolve("go-first"));
    // Its command begins when that of the first has ended.
    awaitBegun("second");

    Master second = another();

    assertThat(second.hearsHand()).extracting(HeldAttempt::task).containsExactly("first", "second");
    second.hearsEnd("first", Result.FAILED);
    send(new Message.Recall("second", 1));
    Files.createFile(temp.resolve("go-second"));
    assertThat(endsOfPermitted(second)).isEqualTo("second");
  }

  @Test
  void whatIsDoneWhileThereIsNoMasterIsNotCommittedWithoutThePermitOfTheNext() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitHeard();
    die();
    await().until(next::hasQueuedThreads);
    Files.createFile(temp.resolve("go-first"));
    awaitBegun("second");

    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"), held("second"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    send(new Message.Permit("first", 1, false));
    second.hearsEnd("first", Result.STOPPED);
    assertThat(temp.resolve("first.out")).doesNotExist();
  }

  @Test
  void whatWasCommittedUnaskedIsToldSo() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.hearsEnd("first", Result.SUCCEEDED);

    die();

    assertThat(another().hearsHand()).containsExactly(ended("first", true));
  }

  @Test
  void whatWasNotedIsNotToldAgainAndWhatWasNotIs() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.hearsEnd("first", Result.SUCCEEDED);
    send(run("second", "exit 9"));
    master.hearsEnd("second", Result.FAILED);
    send(new Message.Noted(1));
    // Once this is reported the worker has heard that.
    send(run("third", "exit 9"));
    master.hearsEnd("third", Result.FAILED);

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(ended("second", false), ended("third", false));
    second.hearsEnd("second", Result.FAILED);
    second.hearsEnd("third", Result.FAILED);
    send(new Message.Noted(2));
    send(waiting("fourth"));
    awaitBegun("fourth");
    die();

    assertThat(another().hearsHand()).containsExactly(held("fourth"));
  }

  @Test
  void whoHasAskedAsksAgainAndWhoWasLetCommitSaysSo() throws Exception {
    send(new Message.Run(run("first", "echo 1 > first.out").order().asking(0)));
    assertThat(master.next()).isEqualTo(new Message.MayCommit("first", 1));

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    assertThat(temp.resolve("first.out")).doesNotExist();
    send(new Message.Permit("first", 1, true));
    second.hearsEnd("first", Result.SUCCEEDED);
    die();

    assertThat(another().hearsHand()).containsExactly(ended("first", true));
  }

  @Test
  void whatTheNextDoesNotWantIsStopped() throws Exception {
    send(waiting("first"));
    awaitBegun("first");

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"));
    send(new Message.Stop("first", 1));
    second.hearsEnd("first", Result.STOPPED);
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void whoFindsNoOtherEndsWithItsCommands() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    die();
    await().until(next::hasQueuedThreads);
    assertThat(Pids.runs(pid)).as("it may still be found").isTrue();

    inVain = true;
    next.release();

    working.get();
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void whoIsToEndWhileItLooksForTheNextLooksNoLonger() throws Exception {
    die();
    await().until(next::hasQueuedThreads);

    requireNonNull(link).close();

    working.get(1, TimeUnit.MINUTES);
  }

  @Test
  void whoIsSentAwayByTheNextEnds() throws Exception {
    die();
    assertThat(another().hearsHand()).isEmpty();

    send(new Message.Shutdown());

    working.get();
  }
}

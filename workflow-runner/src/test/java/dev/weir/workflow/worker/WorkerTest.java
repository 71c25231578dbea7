package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private DirectoryStore store;
  private final FakeMasterConnection master = new FakeMasterConnection();
  private final BlockingQueue<Message> received = master.received;
  private final RecordingOutput printed = new RecordingOutput();
  @TempDir private Path temp;
  private Future<?> working;

  /** Records requests for logs. */
  private static final class RecordingOutput implements CommandOutput {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> over = new CopyOnWriteArrayList<>();

    @Override
    public void ended(TaskOrder order, TaskReport report) {
      received.add(order.task() + " " + report.result());
    }

    @Override
    public void finished(TaskOrder order) {
      over.add(order.task());
    }

    @Override
    public void requested(String task) {
      received.add("show " + task);
    }
  }

  @BeforeEach
  void connect() throws Exception {
    store = new DirectoryStore(temp);
    MasterLink toMaster = new MasterLink(master, MasterLink.Search.NONE, System::nanoTime);
    working =
        threads.submit(
            () -> {
              TestTools.worker(store, temp, TestTools.of(threads, shells), toMaster, printed)
                  .work();
              return null;
            });
  }

  @AfterEach
  void stop() throws Exception {
    master.close();
    threads.shutdownNow();
    shells.close();
    guard.close();
  }

  private static Message.Run run(String task, String script) {
    return new Message.Run(TaskOrders.making(task, script));
  }

  @Test
  void runsAttemptsInOrderAndReportsEach() {
    Path begun = temp.resolve("begun");
    master.deliver(run("first", "echo 1 >> " + begun + "; sleep 0.1; echo 1 > first.out"));
    master.deliver(run("second", "echo 2 >> " + begun + "; exit 9"));

    await().untilAsserted(() -> assertThat(received).hasSize(2));
    // The second task may begin and end while the outputs of the first are stored.
    assertThat(received)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .containsExactlyInAnyOrder(
            tuple("first", Result.SUCCEEDED), tuple("second", Result.FAILED));
    assertThat(begun).hasContent("1\n2");
    assertThat(temp.resolve("first.out")).hasContent("1");
  }

  @Test
  void givesBackAttemptsThatHaveNotBegun() throws Exception {
    Path go = temp.resolve("go");
    Path begun = temp.resolve("begun");
    master.deliver(
        run("first", "touch " + begun + "; until [ -e " + go + " ]; do sleep 0.05; done; exit 9"));
    await().until(() -> Files.exists(begun));
    master.deliver(run("second", "touch second.out"));
    master.deliver(run("third", "touch third.out"));

    master.deliver(new Message.Recall("second", 1));
    master.deliver(new Message.Recall("first", 1));
    master.deliver(new Message.Recall("never heard of", 1));

    await().until(() -> received.remove(new Message.Begun("first", 1)));
    assertThat(received).hasSize(1);
    Files.createFile(go);
    await().untilAsserted(() -> assertThat(received).hasSize(3));
    assertThat(received)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .startsWith(tuple("second", Result.RECALLED))
        // The third task may begin when the first's command has ended; later messages do not
        // prevent it.
        .containsExactlyInAnyOrder(
            tuple("second", Result.RECALLED),
            tuple("first", Result.FAILED),
            tuple("third", Result.SUCCEEDED));
    assertThat(temp.resolve("second.out")).doesNotExist();
  }

  @Test
  void failureAfterAStopIsReportedAsStopped() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    store.beforeJoin(
        target -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Call interrupted");
          }
        });
    master.deliver(new Message.Run(TaskOrders.joining("y", "y@0+1")));
    begun.await();

    master.deliver(new Message.Stop("y", 1));

    await().untilAsserted(() -> assertThat(received).hasSize(1));
    assertThat(((Message.Ended) received.peek()).report().result()).isEqualTo(Result.STOPPED);
    assertThat(printed.received).isEmpty();
  }

  @Test
  void killsAStoppedAttemptAndContinues() throws Exception {
    Path pid = temp.resolve("pid");
    master.deliver(run("first", "echo $$ > " + pid + "; exec sleep 1000"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    master.deliver(run("second", "touch second.out"));
    master.deliver(run("third", "touch third.out"));

    master.deliver(new Message.Stop("second", 1));
    await().untilAsserted(() -> assertThat(received).hasSize(1));
    master.deliver(new Message.Stop("first", 1));
    master.deliver(new Message.Stop("never heard of", 1));

    await().untilAsserted(() -> assertThat(received).hasSize(3));
    assertThat(received)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .startsWith(tuple("second", Result.RECALLED))
        // The third task may begin when the first's command has ended; later messages do not
        // prevent it.
        .containsExactlyInAnyOrder(
            tuple("second", Result.RECALLED),
            tuple("first", Result.STOPPED),
            tuple("third", Result.SUCCEEDED));
    long process = Long.parseLong(Files.readString(pid).strip());
    assertThat(Pids.runs(process)).isFalse();
    assertThat(temp.resolve("second.out")).doesNotExist();
    await().untilAsserted(() -> assertThat(printed.over).contains("first", "third"));
  }

  private static Message.Run askingForCommit(String task) {
    return new Message.Run(run(task, "echo 1 > " + task + ".out").order().asking(0));
  }

  @Test
  void commitsASpeculatedAttemptWithPermission() throws Exception {
    master.deliver(askingForCommit("first"));
    await().untilAsserted(() -> assertThat(received).hasSize(1));
    assertThat(received).containsExactly(new Message.MayCommit("first", 1));
    assertThat(temp.resolve("first.out")).doesNotExist();

    master.deliver(new Message.Permit("first", 1, true));

    await().untilAsserted(() -> assertThat(received).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(received).get(1)).report().result())
        .isEqualTo(Result.SUCCEEDED);
    assertThat(temp.resolve("first.out")).hasContent("1");
  }

  @Test
  void dropsOutputsWhenAnotherAttemptWasFirst() throws Exception {
    master.deliver(askingForCommit("first"));
    await().untilAsserted(() -> assertThat(received).hasSize(1));

    master.deliver(new Message.Permit("first", 1, false));

    await().untilAsserted(() -> assertThat(received).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(received).get(1)).report().result())
        .isEqualTo(Result.STOPPED);
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().contains("first.out"));
    }
  }

  @Test
  void stopsAnAttemptThatWaitsForCommitPermission() throws Exception {
    master.deliver(askingForCommit("first"));
    await().untilAsserted(() -> assertThat(received).hasSize(1));

    master.deliver(new Message.Stop("first", 1));

    await().untilAsserted(() -> assertThat(received).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(received).get(1)).report().result())
        .isEqualTo(Result.STOPPED);
    assertThat(temp.resolve("first.out")).doesNotExist();
  }

  @Test
  void reportsEndsAndLogRequestsToTheCommandOutput() {
    master.deliver(run("first", "exit 9"));
    await().untilAsserted(() -> assertThat(received).hasSize(1));
    master.deliver(new Message.ShowLog("any"));

    await()
        .untilAsserted(
            () -> assertThat(printed.received).containsExactly("first FAILED", "show any"));
  }

  @Test
  void endsOnShutdown() throws Exception {
    master.deliver(new Message.Shutdown());

    working.get();
    assertThat(received).isEmpty();
  }

  @Test
  void endsWhenAnAttemptThrowsAnError() throws Exception {
    store.beforeCommit(
        () -> {
          throw new AssertionError("injected error");
        });

    master.deliver(run("breaking", "touch breaking.out"));

    working.get();
    assertThat(received).as("no report after an error").isEmpty();
  }

  @Test
  void endsWithItsCommandWhenNoMasterIsFound() throws Exception {
    Path pid = temp.resolve("pid");
    master.deliver(run("long", "echo $$ > " + pid + "; exec sleep 1000"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    master.die();

    working.get();
    long process = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> !Pids.runs(process));
  }
}

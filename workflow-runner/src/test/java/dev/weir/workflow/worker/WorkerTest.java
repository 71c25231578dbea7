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
  private final PlayedMaster master = new PlayedMaster();
  private final BlockingQueue<Message> heard = master.heard;
  private final Asked printed = new Asked();
  @TempDir private Path temp;
  private Future<?> working;

  /** Notes what it is asked. */
  private static final class Asked implements CommandOutput {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> over = new CopyOnWriteArrayList<>();

    @Override
    public void ended(TaskOrder order, TaskReport report) {
      heard.add(order.task() + " " + report.result());
    }

    @Override
    public void finished(TaskOrder order) {
      over.add(order.task());
    }

    @Override
    public void requested(String task) {
      heard.add("show " + task);
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
  void makesAttemptsInTheirOrderAndReportsEach() {
    Path begun = temp.resolve("begun");
    master.tell(run("first", "echo 1 >> " + begun + "; sleep 0.1; echo 1 > first.out"));
    master.tell(run("second", "echo 2 >> " + begun + "; exit 9"));

    await().untilAsserted(() -> assertThat(heard).hasSize(2));
    // The second may begin, and end, while what the first has made is stored.
    assertThat(heard)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .containsExactlyInAnyOrder(
            tuple("first", Result.SUCCEEDED), tuple("second", Result.FAILED));
    assertThat(begun).hasContent("1\n2");
    assertThat(temp.resolve("first.out")).hasContent("1");
  }

  @Test
  void givesBackWhatHasNotBegunAndGoesOn() throws Exception {
    Path go = temp.resolve("go");
    Path begun = temp.resolve("begun");
    master.tell(
        run("first", "touch " + begun + "; until [ -e " + go + " ]; do sleep 0.05; done; exit 9"));
    await().until(() -> Files.exists(begun));
    master.tell(run("second", "touch second.out"));
    master.tell(run("third", "touch third.out"));

    master.tell(new Message.Recall("second", 1));
    master.tell(new Message.Recall("first", 1));
    master.tell(new Message.Recall("never heard of", 1));

    await().until(() -> heard.remove(new Message.Begun("first", 1)));
    assertThat(heard).hasSize(1);
    Files.createFile(go);
    await().untilAsserted(() -> assertThat(heard).hasSize(3));
    assertThat(heard)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .startsWith(tuple("second", Result.RECALLED))
        // The third may begin when the first's command has ended, and is not kept by what follows.
        .containsExactlyInAnyOrder(
            tuple("second", Result.RECALLED),
            tuple("first", Result.FAILED),
            tuple("third", Result.SUCCEEDED));
    assertThat(temp.resolve("second.out")).doesNotExist();
  }

  @Test
  void whatFailsBecauseItIsStoppedIsStopped() throws Exception {
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
    master.tell(new Message.Run(TaskOrders.joining("y", "y@0+1")));
    begun.await();

    master.tell(new Message.Stop("y", 1));

    await().untilAsserted(() -> assertThat(heard).hasSize(1));
    assertThat(((Message.Ended) heard.peek()).report().result()).isEqualTo(Result.STOPPED);
    assertThat(printed.heard).isEmpty();
  }

  @Test
  void killsWhatIsToBeStoppedAndGoesOn() throws Exception {
    Path pid = temp.resolve("pid");
    master.tell(run("first", "echo $$ > " + pid + "; exec sleep 1000"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    master.tell(run("second", "touch second.out"));
    master.tell(run("third", "touch third.out"));

    master.tell(new Message.Stop("second", 1));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));
    master.tell(new Message.Stop("first", 1));
    master.tell(new Message.Stop("never heard of", 1));

    await().untilAsserted(() -> assertThat(heard).hasSize(3));
    assertThat(heard)
        .extracting(
            message -> ((Message.Ended) message).report().task(),
            message -> ((Message.Ended) message).report().result())
        .startsWith(tuple("second", Result.RECALLED))
        // The third may begin when the first's command has ended, and is not kept by what follows.
        .containsExactlyInAnyOrder(
            tuple("second", Result.RECALLED),
            tuple("first", Result.STOPPED),
            tuple("third", Result.SUCCEEDED));
    long process = Long.parseLong(Files.readString(pid).strip());
    assertThat(Pids.runs(process)).isFalse();
    assertThat(temp.resolve("second.out")).doesNotExist();
    await().untilAsserted(() -> assertThat(printed.over).contains("first", "third"));
  }

  private static Message.Run asking(String task) {
    return new Message.Run(run(task, "echo 1 > " + task + ".out").order().asking(0));
  }

  @Test
  void commitsAnAttemptThatMayHaveACopyWhenItIsLet() throws Exception {
    master.tell(asking("first"));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));
    assertThat(heard).containsExactly(new Message.MayCommit("first", 1));
    assertThat(temp.resolve("first.out")).doesNotExist();

    master.tell(new Message.Permit("first", 1, true));

    await().untilAsserted(() -> assertThat(heard).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(heard).get(1)).report().result())
        .isEqualTo(Result.SUCCEEDED);
    assertThat(temp.resolve("first.out")).hasContent("1");
  }

  @Test
  void dropsWhatItHasMadeWhenAnotherAttemptWasFirst() throws Exception {
    master.tell(asking("first"));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));

    master.tell(new Message.Permit("first", 1, false));

    await().untilAsserted(() -> assertThat(heard).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(heard).get(1)).report().result())
        .isEqualTo(Result.STOPPED);
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().contains("first.out"));
    }
  }

  @Test
  void stopsAnAttemptThatWaitsForItsPermit() throws Exception {
    master.tell(asking("first"));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));

    master.tell(new Message.Stop("first", 1));

    await().untilAsserted(() -> assertThat(heard).hasSize(2));
    assertThat(((Message.Ended) List.copyOf(heard).get(1)).report().result())
        .isEqualTo(Result.STOPPED);
    assertThat(temp.resolve("first.out")).doesNotExist();
  }

  @Test
  void tellsWhatBecomesOfWhatCommandsPrint() {
    master.tell(run("first", "exit 9"));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));
    master.tell(new Message.ShowLog("any"));

    await()
        .untilAsserted(() -> assertThat(printed.heard).containsExactly("first FAILED", "show any"));
  }

  @Test
  void endsWhenItIsToldTo() throws Exception {
    master.tell(new Message.Shutdown());

    working.get();
    assertThat(heard).isEmpty();
  }

  @Test
  void endsRatherThanKeepSilentAboutAnAttemptThatBrokeIt() throws Exception {
    store.beforeCommit(
        () -> {
          throw new AssertionError("the virtual machine is not what it was");
        });

    master.tell(run("breaking", "touch breaking.out"));

    working.get();
    assertThat(heard).as("no report can be trusted").isEmpty();
  }

  @Test
  void endsWithTheCommandWhenTheMasterIsGone() throws Exception {
    Path pid = temp.resolve("pid");
    master.tell(run("long", "echo $$ > " + pid + "; exec sleep 1000"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    master.die();

    working.get();
    long process = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> !Pids.runs(process));
  }
}

package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Effect;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.dispatch.Steering;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.WorkerPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunControllerTest {

  private static final RunPlan PLAN =
      Plans.of(
          2,
          Plans.task("a", List.of("in"), List.of("fa")),
          Plans.task("b", List.of("fa"), List.of("fb")));

  private volatile Instant now = Instant.ofEpochMilli(5_000);
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
  private final Handshake handshake =
      new Handshake(
          Secret.generate(new SecureRandom()), new SecureRandom(), Connection.Timing.DEFAULT);
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Orders orders = new Orders(PLAN, "run-1");
  private final RunRecorder recorder = new RunRecorder(4_000, orders::task);
  private final Files files = new Files();
  private final List<Effect.Answer> answers = new CopyOnWriteArrayList<>();
  @TempDir private Path temp;
  private RawLocalFileSystem fs;
  private org.apache.hadoop.fs.Path directory;
  private Journal journal;
  private RunController controller;

  @BeforeEach
  void start() throws IOException {
    fs = new RawLocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration(false));
    directory = new org.apache.hadoop.fs.Path(temp.toUri());
    journal = new Journal(fs, directory, 1);
    journal.start();
    controller = controller(new Dispatcher(PLAN.workflow(), Policy.FIFO, new Limits(1, 10)));
    controller.start();
  }

  private RunController controller(Dispatcher dispatcher) {
    return new RunController(
        dispatcher,
        new RunController.Outlets(orders, journal, recorder, answers::add),
        files,
        clock,
        new RunController.Threads(loop, Runnable::run));
  }

  /** Files that the test says are lost, once each. */
  private static final class Files implements Keeper {
    final List<String> lost = new CopyOnWriteArrayList<>();
    final List<String> removed = new CopyOnWriteArrayList<>();

    @Override
    public List<String> lost(List<String> results) {
      List<String> found = List.copyOf(lost);
      lost.clear();
      return found;
    }

    @Override
    public void remove(List<String> paths) {
      removed.addAll(paths);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
    loop.shutdownNow();
    journal.close();
  }

  /** The worker's end of a connection. */
  private static final class Worker implements Connection.Listener {
    final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
    final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void received(Message message) {
      heard.add(message);
    }

    @Override
    public void ended(String reason) {
      ends.add(reason);
    }

    TaskOrder nextOrder() throws InterruptedException {
      return ((Message.Run) heard.take()).order();
    }
  }

  private Worker join(String id, String node) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Socket dialled = new Socket(server.getInetAddress(), server.getLocalPort());
      Socket accepted = server.accept();
      open.add(dialled);
      open.add(accepted);
      CompletableFuture<Connection> joining =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return handshake.join(dialled, id, node);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Connection masters = handshake.accept(accepted).connection();
      Worker worker = new Worker();
      joining.get().start(worker);
      controller.joined(new WorkerInfo(id, node, "/r"), masters);
      masters.start(
          new Connection.Listener() {
            @Override
            public void received(Message message) {}

            @Override
            public void ended(String reason) {
              controller.lost(id, reason);
            }
          });
      return worker;
    }
  }

  private static TaskReport report(TaskOrder order, Result result, int exitCode) {
    List<StoredFile> outputs =
        result == Result.SUCCEEDED
            ? order.outputs().stream()
                .map(slot -> new StoredFile(slot.name(), 10, Map.of("n1", 10L)))
                .toList()
            : List.of();
    return new TaskReport(
        order.task(),
        order.attempt(),
        result,
        exitCode,
        result.toString(),
        "its last words",
        List.of(),
        outputs,
        new Usage(1, 2, 3, 4, 5, 6, 7, 8));
  }

  private List<DispatchRecord> journalled() throws IOException {
    journal.finish();
    return Journal.read(fs, directory);
  }

  private RunRecord record(boolean succeeded) {
    return recorder.build(
        new RunRecorder.Name("run", "test", "stock"),
        succeeded ? RunState.SUCCEEDED : RunState.FAILED,
        6_000);
  }

  @Test
  void aRunGoesFromItsFirstWorkerToItsOutcome() throws Exception {
    Worker worker = join("w1", "n1");

    TaskOrder a = worker.nextOrder();
    assertThat(a.task()).isEqualTo("a");
    controller.reported("w1", report(a, Result.SUCCEEDED, 0));
    TaskOrder b = worker.nextOrder();
    controller.reported("w1", report(b, Result.SUCCEEDED, 0));

    assertThat(controller.outcome().get()).isEmpty();
    assertThat(journalled()).hasSize(2);
    assertThat(record(true).tasks()).hasSize(2);
    assertThat(record(true).workers()).hasSize(1);
  }

  @Test
  void aResultThatIsLostIsMadeAgainBeforeTheRunEnds() throws Exception {
    files.lost.add("fb");
    Worker worker = join("w1", "n1");
    controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));
    controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    TaskOrder again = worker.nextOrder();

    assertThat(again.task()).isEqualTo("b");
    assertThat(controller.outcome()).isNotDone();
    controller.reported("w1", report(again, Result.SUCCEEDED, 0));
    assertThat(controller.outcome().get()).isEmpty();
  }

  @Test
  void whoHasNothingToDoIsToldToGoWhenThereAreFewerTasksThanWorkers() throws Exception {
    Worker one = join("w1", "n1");
    one.nextOrder();
    Worker two = join("w2", "n2");
    List<String> letGo = new CopyOnWriteArrayList<>();
    List<Integer> wanted = new CopyOnWriteArrayList<>();
    RunController.Staff staff =
        new RunController.Staff() {
          @Override
          public void want(int workers, List<List<String>> inputs) {
            wanted.add(workers);
          }

          @Override
          public void letGo(String worker) {
            letGo.add(worker);
          }
        };

    controller.staff(WorkerPlan.DEFAULT.withCount(2), staff, List::of);
    assertThat(controller.progress().workers()).as("two tasks are to be done").isEqualTo(2);
    controller.reported("w1", report(orderOf("a"), Result.SUCCEEDED, 0));
    await().until(() -> controller.progress().done() == 1);
    // The clock stands still: who is free has been so for no time at all.
    controller.staff(WorkerPlan.DEFAULT.withCount(2), staff, List::of);
    assertThat(controller.progress().workers()).isEqualTo(2);
    controller.staff(new WorkerPlan(2, 1, 1024, 2).elastic(2, 1), staff, List::of);
    assertThat(controller.progress().workers()).as("two are to stay").isEqualTo(2);
    now = now.plusSeconds(61);
    controller.staff(WorkerPlan.DEFAULT.withCount(2), staff, List::of);

    await().until(() -> controller.progress().workers() == 1);
    assertThat(letGo).hasSize(1);
    assertThat(wanted).containsExactly(2, 1, 2, 1);
    Worker gone = letGo.get(0).equals("w1") ? one : two;
    await().until(() -> gone.heard.contains(new Message.Shutdown()));
    assertThat(controller.outcome()).isNotDone();
  }

  private TaskOrder orderOf(String task) {
    return orders.order(new Effect.Start("w1", task, 1, PLAN.workflow().tasks().get(0).outputs()));
  }

  @Test
  void whatALostWorkerMayHaveWrittenIsRemovedWhileTheRunGoesOn() throws Exception {
    join("w1", "n1").nextOrder();

    controller.lost("w1", "killed");

    await().untilAsserted(() -> assertThat(files.removed).containsExactly("/data/fa.weir-run-1-1"));
    assertThat(controller.outcome()).isNotDone();
  }

  @Test
  void aWorkerIsAskedForWhatAnotherCouldBegin() throws Exception {
    RunPlan plan =
        Plans.of(2, Plans.task("a", List.of(), List.of()), Plans.task("b", List.of(), List.of()));
    controller =
        new RunController(
            new Dispatcher(plan.workflow(), Policy.FIFO, new Limits(1, 10), plan.workers().size()),
            new RunController.Outlets(new Orders(plan, "run-1"), journal, recorder, answers::add),
            files,
            clock,
            new RunController.Threads(loop, Runnable::run));
    controller.start();
    Worker first = join("w1", "n1");
    first.nextOrder();
    TaskOrder second = first.nextOrder();

    Worker idle = join("w2", "n2");

    assertThat(first.heard.take()).isEqualTo(new Message.Recall("b", 1));
    controller.reported("w1", TaskReport.recalled(second.task(), second.attempt()));
    assertThat(idle.nextOrder().attempt()).isEqualTo(2);
  }

  @Test
  void wishesAreFollowedJournalledAndAnswered() throws Exception {
    Worker worker = join("w1", "n1");
    TaskOrder a = worker.nextOrder();

    controller.steer("one", Steering.of(Steering.Action.PAUSE, ""));
    controller.reported("w1", report(a, Result.SUCCEEDED, 0));
    controller.steer("two", Steering.of(Steering.Action.SHOW_LOG, "a"));
    assertThat(worker.heard.take()).isEqualTo(new Message.ShowLog("a"));
    controller.steer("three", Steering.of(Steering.Action.RESUME, ""));
    TaskOrder b = worker.nextOrder();
    controller.steer("four", Steering.of(Steering.Action.CANCEL, "b"));
    assertThat(worker.heard.take()).isEqualTo(new Message.Stop("b", b.attempt()));

    await().untilAsserted(() -> assertThat(answers).hasSize(4));
    assertThat(answers)
        .allMatch(answer -> answer.answer().tasks() == 1 || answer.wish().equals("one"));
    assertThat(controller.outcome().get())
        .hasValueSatisfying(why -> assertThat(why.message()).contains("b"));
    assertThat(journalled().stream().filter(DispatchRecord.Steered.class::isInstance)).hasSize(3);
  }

  @Test
  void aRunThatIsToFailEndsWithTheReason() throws Exception {
    RunFailure failure = RunFailure.ofRun("no workers to be had", "details");

    controller.fail(failure);

    assertThat(controller.outcome().get()).contains(failure);
  }

  @Test
  void aTaskThatFailsForGoodIsTheOutcome() throws Exception {
    Worker worker = join("w1", "n1");

    controller.reported("w1", report(worker.nextOrder(), Result.FAILED, 7));

    Optional<RunFailure> failure = controller.outcome().get();
    assertThat(failure)
        .contains(new RunFailure("a", 1, List.of("run", "a"), 7, "n1", "FAILED", "its last words"));
    assertThat(record(false).tasks()).hasSize(1);
  }

  @Test
  void anotherWorkerTakesOverFromOneThatIsLost() throws Exception {
    Worker first = join("w1", "n1");
    TaskOrder attempt = first.nextOrder();
    Worker second = join("w2", "n2");

    controller.lost("w1", "its container ended");

    TaskOrder again = second.nextOrder();
    assertThat(again.task()).isEqualTo("a");
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.label()).isNotEqualTo(attempt.label());
    await().untilAsserted(() -> assertThat(first.ends).hasSize(1));
    controller.reported("w1", report(attempt, Result.SUCCEEDED, 0));
    controller.reported("w2", report(again, Result.SUCCEEDED, 0));
    controller.reported("w2", report(second.nextOrder(), Result.SUCCEEDED, 0));
    assertThat(controller.outcome().get()).isEmpty();
    assertThat(journalled()).as("the late report is none").hasSize(3);
  }

  @Test
  void aConnectionThatEndsIsALostWorker() throws Exception {
    Worker first = join("w1", "n1");
    first.nextOrder();
    Worker second = join("w2", "n2");

    open.get(0).close();

    assertThat(second.nextOrder().task()).isEqualTo("a");
  }

  @Test
  void aWorkerThatConnectsAfterItWasGivenUpIsSentAway() throws Exception {
    controller.lost("w1", "its container ended");

    Worker late = join("w1", "n1");

    await().untilAsserted(() -> assertThat(late.ends).hasSize(1));
    assertThat(late.heard).isEmpty();
    assertThat(controller.progress().workers()).isZero();
    assertThat(record(true).workers()).isEmpty();
    assertThat(join("w2", "n1").nextOrder().task()).isEqualTo("a");
  }

  @Test
  void workersAreToldToStop() throws Exception {
    Worker first = join("w1", "n1");
    first.nextOrder();
    Worker second = join("w2", "n1");

    controller.shutDownWorkers();

    assertThat(first.heard.take()).isEqualTo(new Message.Shutdown());
    assertThat(second.heard.take()).isEqualTo(new Message.Shutdown());
  }

  @Test
  void anAbortedRunSaysWhy() {
    controller.abort("no workers to be had");

    assertThatThrownBy(() -> controller.outcome().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no workers to be had");
  }

  @Test
  void aMistakeOfTheDispatcherEndsTheRunInsteadOfHanging() throws Exception {
    Worker worker = join("w1", "n1");
    TaskOrder order = worker.nextOrder();
    TaskReport odd =
        new TaskReport(
            order.task(),
            order.attempt(),
            Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            List.of(new StoredFile("no such file", 1, Map.of())),
            Usage.NONE);

    controller.reported("w1", odd);

    assertThatThrownBy(() -> controller.outcome().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no such file");
  }

  @Test
  void eventsAfterTheEndAreIgnored() {
    loop.shutdownNow();

    controller.lost("w1", "late");
    controller.start();
  }
}

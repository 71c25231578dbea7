package dev.weir.workflow.controller;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalTestBase;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.run.RunOrders;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.Starts;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A run of two tasks, the second after the first, with workers that the test controls. */
@SuppressWarnings("try") // close() may throw any exception
public final class TestRun implements AutoCloseable {

  public static final RunPlan PLAN =
      Plans.of(
          2,
          Plans.task("a", List.of("in"), List.of("fa")),
          Plans.task("b", List.of("fa"), List.of("fb")));

  public final MutableClock clock = new MutableClock(Instant.ofEpochMilli(5_000));

  public final ExecutorService loop = Executors.newSingleThreadExecutor();
  public final List<AutoCloseable> open = new ArrayList<>();
  public final RunOrders orders = Plans.orders(PLAN, "run-1");
  public final RunRecorder recorder = new RunRecorder(4_000, orders::task);
  public final Files files = new Files();

  /** Tasks for which orders cannot be created. */
  public final Set<String> withoutOrder = ConcurrentHashMap.newKeySet();

  public final List<Effect.Answer> answers = new CopyOnWriteArrayList<>();
  private final RawLocalFileSystem fs;
  private final org.apache.hadoop.fs.Path directory;
  public final Journal journal;
  public final GraphEvents events = new Events();
  public SessionController controller;

  /** Creates a run whose journal is in a directory. */
  public TestRun(Path temp) throws IOException {
    this(temp, List.of());
  }

  /** Creates a run with files that may be deleted when they are unneeded. */
  public TestRun(Path temp, List<String> temporaries) throws IOException {
    fs = new RawLocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration(false));
    directory = new org.apache.hadoop.fs.Path(temp.toUri());
    journal = new Journal(fs, directory, 1, Journal.PAUSE_MILLIS, () -> {});
    journal.start();
    Limits limits = new Limits(1, 10);
    controller =
        controller(
            new Dispatcher(
                AssignmentPolicy.FIFO,
                WorkerSize.ONE_TASK,
                new Graph(
                    "",
                    PLAN.workflow(),
                    limits,
                    0,
                    false,
                    TaskProfiles.NONE,
                    Set.copyOf(temporaries),
                    Set.of(),
                    List.of(),
                    Set.of())));
    controller.start();
  }

  private SessionController controller(Dispatcher dispatcher) {
    return new SessionController(
        dispatcher,
        new SessionController.Collaborators(new Orders(), journal, recorder, events),
        clock,
        new SessionController.Threads(loop, Runnable::run));
  }

  /** The orders of the run, except for some tasks. */
  private final class Orders implements OrderFactory {

    @Override
    public TaskOrder order(Effect.Start start) {
      if (withoutOrder.contains(start.task())) {
        throw new IllegalStateException("on purpose");
      }
      return orders.order(start);
    }

    @Override
    public String path(String file) {
      return orders.path(file);
    }

    @Override
    public String temporaryPath(String file) {
      return orders.temporaryPath(file);
    }

    @Override
    public List<String> temporaryPaths(Effect.Discard cutOff) {
      return orders.temporaryPaths(cutOff);
    }

    @Override
    public TaskReport accept(TaskReport report) {
      return orders.accept(report);
    }
  }

  /** Ends the session with the run. */
  private final class Events implements GraphEvents {

    @Override
    public RunFiles files(String graph) {
      return files;
    }

    @Override
    public void answer(Effect.Answer answer) {
      answers.add(answer);
    }

    @Override
    public void ended(String graph, Optional<RunFailure> failure) {
      failure.ifPresentOrElse(controller::fail, controller::stop);
    }
  }

  /** Creates the controller of the next ApplicationMaster without starting it. */
  public void restart() {
    controller =
        controller(Dispatchers.of(PLAN.workflow(), AssignmentPolicy.FIFO, new Limits(1, 10)));
  }

  /** Returns the order of an attempt as a worker gets it. */
  public TaskOrder order(String task, int attempt) {
    return orders.order(Starts.of("any", task, attempt, orders.task(task).outputs()));
  }

  /** Files that count as lost once when the test says so. */
  public static final class Files implements RunFiles {
    public final List<String> lost = new CopyOnWriteArrayList<>();
    public final List<String> removed = new CopyOnWriteArrayList<>();
    public final List<String> letGo = new CopyOnWriteArrayList<>();

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

    @Override
    public void deleteUnneeded(
        List<Effect.UnneededFile> files,
        Supplier<CompletableFuture<Void>> journalled,
        Consumer<List<String>> over) {
      List<String> ids = files.stream().map(Effect.UnneededFile::file).toList();
      var unused =
          journalled
              .get()
              .thenRun(
                  () -> {
                    letGo.addAll(ids);
                    over.accept(ids);
                  });
    }
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
    loop.shutdownNow();
    journal.close();
  }

  /** A worker that receives messages at once. */
  public final class Worker implements Connection {
    public final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    public final List<String> ends = new CopyOnWriteArrayList<>();
    private final String id;

    Worker(String id) {
      this.id = id;
    }

    @Override
    public void send(Message message) {
      received.add(message);
      if (message instanceof Message.Shutdown) {
        ends.add("told to stop");
      }
    }

    @Override
    public void close() {
      ends.add("closed");
      controller.lost(id, "its connection has ended");
    }

    public TaskOrder nextOrder() throws InterruptedException {
      return ((Message.Run) received.take()).order();
    }
  }

  public Worker join(String id, String node) {
    return join(id, node, (worker, connection) -> controller.joined(worker, null, connection));
  }

  /** Connects a worker through a listener that notifies the controller. */
  public Worker join(String id, String node, BiConsumer<WorkerInfo, Connection> listener) {
    Worker worker = new Worker(id);
    open.add(worker);
    listener.accept(new WorkerInfo(id, node, "/r"), worker);
    return worker;
  }

  public static TaskReport report(TaskOrder order, Result result, int exitCode) {
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

  public List<DispatchRecord> journalled() throws IOException {
    journal.finish();
    return JournalTestBase.read(fs, directory);
  }

  public RunRecord record(boolean succeeded) {
    return recorder.build(
        new RunRecorder.Name("run", "test", "stock"),
        succeeded ? RunState.SUCCEEDED : RunState.FAILED,
        6_000);
  }
}

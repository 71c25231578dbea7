package dev.weir.bench.griddb;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.GraphEvents;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.delivery.ProvenanceReporter;
import dev.weir.workflow.delivery.RunOutline;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.rpc.WorkerRpcServer;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.run.RunOrders;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * An ApplicationMaster without YARN and HDFS, in a process of its own. Dispatcher, event loop,
 * journal, RPC server and the reports to the hints service are those of a run in mode {@code
 * locality}; the journal is in a local directory.
 */
final class MasterProcess implements WorkerRpcServer.Listener, GraphEvents {
  static final String RUN = "application_1_0001";
  private static final long TICK_MILLIS = 1_000;
  private static final int REPLICAS = 3;
  private static final long SEED = 2;
  private static final int MEBI_BITS = 20;

  private final Clock clock = Clock.systemUTC();
  private final Configuration conf = new Configuration();
  private final RawLocalFileSystem fs = new RawLocalFileSystem();
  private final int nodes;
  private final RunPlan plan;
  private final RunOrders orders;
  private final RunRecorder recorder;
  private final Journal journal;
  private final SessionController controller;
  private final CountDownLatch absent;

  /**
   * What the process has used while the run lasted.
   *
   * @param cpuMillis of all its threads, with compilation and collection
   * @param loopMillis of them the event loop's
   * @param rpcMillis of them the RPC server's
   * @param reportMillis of them those of the reports to the hints service
   * @param heapMegabytes after the run, before a collection
   */
  record Use(
      long cpuMillis,
      long loopMillis,
      long rpcMillis,
      long reportMillis,
      long journalBytes,
      long heapMegabytes) {}

  private MasterProcess(Workflow workflow, int nodes, Path directory, String service)
      throws IOException {

    this.nodes = nodes;
    this.absent = new CountDownLatch(nodes);
    conf.set(ClientSettings.URL_KEY, service);
    fs.initialize(URI.create("file:///"), conf);
    this.plan =
        new RunPlan(
            workflow,
            Mode.LOCALITY,
            "hdfs://unused",
            "/data",
            true,
            WorkerPlan.DEFAULT.withCount(nodes),
            Map.of(),
            Map.of(),
            "griddb",
            RunOptions.DEFAULT,
            Map.of());
    this.orders = new RunOrders("", plan, RUN, path -> "");
    this.recorder = new RunRecorder(clock.millis(), orders::task);
    this.journal = new Journal(fs, directory, 1, Journal.PAUSE_MILLIS, () -> {});
    this.controller =
        new SessionController(
            dispatcher(),
            new SessionController.Collaborators(orders, journal, recorder, this),
            clock,
            new SessionController.Threads(
                Executors.newSingleThreadExecutor(DaemonThreadFactory.named("dispatch")),
                Executors.newSingleThreadExecutor(DaemonThreadFactory.named("files"))));
  }

  /** Speculation is off: a copy of a task that only waits cannot be faster. */
  private Dispatcher dispatcher() {
    Random random = new Random(SEED);
    List<StoredFile> inputs =
        plan.workflow().graph().workflowInputs().stream()
            .map(input -> stored(input, random))
            .toList();
    Dispatcher dispatcher =
        new Dispatcher(
            AssignmentPolicy.DATA_AWARE,
            plan.workers().size(),
            new Graph(
                "",
                plan.workflow(),
                Limits.DEFAULT,
                0,
                false,
                TaskProfiles.NONE,
                Set.of(),
                Set.of(),
                inputs,
                Set.of()));
    dispatcher.expect(nodes);
    return dispatcher;
  }

  private StoredFile stored(DataFile input, Random random) {
    int first = random.nextInt(nodes);
    Map<String, Long> places = new HashMap<>();
    for (int i = 0; i < REPLICAS; i++) {
      places.put(WaitingWorkers.node((first + i) % nodes), input.sizeBytes());
    }
    return new StoredFile(input.id(), input.sizeBytes(), places);
  }

  /**
   * Runs a workflow. Prints the port and the key of the session in its first line, and in its last
   * one what it has used.
   *
   * @param args the workflow, images, speed-up, nodes, an empty directory, and the service's URL
   */
  public static void main(String[] args) throws Exception {
    GridDbWorkflow workflow =
        new GridDbWorkflow(
            GridDbWorkflow.Shape.valueOf(args[0]),
            Integer.parseInt(args[1]),
            Double.parseDouble(args[2]));
    Use use =
        new MasterProcess(workflow.build(), Integer.parseInt(args[3]), new Path(args[4]), args[5])
            .run();
    System.out.println(new ObjectMapper().writeValueAsString(use));
    System.exit(0);
  }

  private Use run() throws Exception {
    Secret key = Secret.generate(new SecureRandom());
    journal.start();
    try (WorkerRpcServer server =
            new WorkerRpcServer(
                conf,
                RpcConfig.of(conf),
                new WorkerTokenSecretManager(WaitingWorkers.APPLICATION, key),
                key,
                worker -> true,
                this);
        PeriodicTasks rounds = new PeriodicTasks()) {
      server.start();
      System.out.println(server.port() + " " + key.toHex());
      absent.await();
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      long cpuBefore = system.getProcessCpuTime();
      try (ProvenanceReporter reporter =
          ProvenanceReporter.start(conf, fs, subject(), System.err::println).orElseThrow()) {
        rounds.every(TICK_MILLIS, this::tick);
        controller.start();
        requireSuccess(controller.outcome().get());
        long cpu = system.getProcessCpuTime() - cpuBefore;
        long loop = threadMillis("dispatch");
        long rpc = threadMillis("IPC Server") + threadMillis("worker-rpc");
        long report = threadMillis("provenance");
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        reporter.finish(
            recorder.build(
                new RunRecorder.Name(RUN, plan.workflow().name(), plan.mode().label()),
                RunState.SUCCEEDED,
                clock.millis()),
            null);
        journal.finish();
        return new Use(
            TimeUnit.NANOSECONDS.toMillis(cpu),
            loop,
            rpc,
            report,
            journal.bytes(),
            heap >> MEBI_BITS);
      }
    }
  }

  /**
   * Returns the CPU time of the threads whose names begin with a prefix; ended ones are missing.
   */
  private static long threadMillis(String prefix) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().startsWith(prefix)) {
        nanos += threads.getThreadCpuTime(id);
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private ProvenanceReporter.Subject subject() {
    return new ProvenanceReporter.Subject(
        RUN, RunOutline.of(plan), Instant.now(clock), recorder::attempts);
  }

  private static void requireSuccess(Optional<RunFailure> failure) throws IOException {
    if (failure.isPresent()) {
      throw new IOException("The run has failed: " + failure.get().inOneLine());
    }
  }

  /** Also reads the status, as a client of the run does. */
  private void tick() {
    controller.tick();
    var unused = controller.progress("");
    var unusedDetails = controller.details("");
  }

  @Override
  public void joined(String worker, String node, String address, Connection connection) {
    controller.joined(new WorkerInfo(worker, node, "/rack"), null, connection);
    absent.countDown();
  }

  @Override
  public void received(String worker, Message message) {
    if (message instanceof Message.Ended ended) {
      controller.reported(worker, ended.report());
    } else if (message instanceof Message.MayCommit question) {
      controller.mayCommit(worker, question.task(), question.attempt());
    } else if (message instanceof Message.Begun begun) {
      controller.begun(worker, begun.task(), begun.attempt());
    } else if (message instanceof Message.InHand hand) {
      controller.returned(worker, hand.attempts());
    }
  }

  @Override
  public void whenHandled(Runnable then) {
    controller.afterEvents(then);
  }

  @Override
  public void lost(String worker, String reason) {
    controller.lost(worker, reason);
  }

  /** No file is lost or deleted. */
  @Override
  public RunFiles files(String graph) {
    return new RunFiles() {
      @Override
      public List<String> lost(List<String> results) {
        return List.of();
      }

      @Override
      public void remove(List<String> paths) {
        // There are none.
      }
    };
  }

  @Override
  public void answer(Effect.Answer answer) {
    throw new IllegalStateException("Unexpected answer: " + answer);
  }

  @Override
  public void ended(String graph, Optional<RunFailure> failure) {
    failure.ifPresentOrElse(controller::fail, controller::stop);
  }
}

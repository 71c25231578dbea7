package dev.weir.workflow.session;

import dev.weir.workflow.concurrent.DaemonThreadFactory;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.journal.CommitLease;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.rpc.WorkerRpcServer;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.run.LateReplicaTracker;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.SessionClosing;
import dev.weir.workflow.scheduler.CopyAheadTotals;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.ScopedId;
import dev.weir.workflow.staging.MasterPlan;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.ContainerPool;
import dev.weir.workflow.yarn.Containers;
import dev.weir.workflow.yarn.YarnRegistration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a session has running around its dispatcher; started and stopped as a whole. */
final class SessionServices implements SessionClosing.Services, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SessionServices.class);

  /** A cluster that is full for longer is not to be asked so often. */
  private static final long RM_FIRST_MILLIS = 10_000;

  private static final int LAUNCHES = 4;
  private static final long STAFF_MILLIS = 500;
  private static final long TICK_MILLIS = 1_000;
  private static final long GOODBYE_MILLIS = 3_000;

  /** Workers look for a new ApplicationMaster every second, or every few if HDFS is slow. */
  private static final long RETURN_MILLIS = 30_000;

  /** A NodeManager tells of a container that has ended with its next heartbeat, in a second. */
  private static final long END_MILLIS = 3_000;

  static final String UNKNOWN_RACK = "/default-rack";

  private final Context context;
  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(DaemonThreadFactory.named("dispatch"));
  private final PeriodicTasks rounds = new PeriodicTasks();
  private final ExecutorService launches =
      Executors.newFixedThreadPool(LAUNCHES, DaemonThreadFactory.named("launch"));

  /** Not the threads that hear of workers: those that are there are not to wait for it. */
  private final ExecutorService replacing =
      Executors.newFixedThreadPool(LAUNCHES, DaemonThreadFactory.named("replace"));

  private final ExecutorService background =
      Executors.newSingleThreadExecutor(DaemonThreadFactory.named("files"));
  private final ManagedRuns runs;
  private final SessionController controller;
  private final TransferCoordinator transfers;
  private final ConnectedWorkers present = new ConnectedWorkers();
  private final WorkerRpcServer server;
  private final WorkerLaunch workers;
  private final NMClient nodes = NMClient.createNMClient();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CommitLease tenure;
  private final AwaitedWorkers awaited = new AwaitedWorkers();
  private final ContainerPool pool;
  private volatile Supplier<List<List<String>>> upcoming = List::of;
  private final YarnRegistration registration;

  /**
   * What they all need.
   *
   * @param runs where the directories of runs are
   * @param firstAsk which workers are asked for at the start
   * @param hintsInForce whether the NameNode is known to place by the hints that workers find in
   *     their directory; asked when a worker is started, may block for a moment
   * @param handover what the next ApplicationMaster is left
   */
  record Context(
      YarnConfiguration conf,
      DistributedFileSystem fs,
      Staging staging,
      Path runs,
      MasterPlan plan,
      FirstAsk firstAsk,
      BooleanSupplier hintsInForce,
      ApplicationAttemptId attempt,
      MasterFencing handover,
      Clock clock) {}

  /**
   * Workers that are asked for before anything is known of those that there are.
   *
   * @param workers how many
   * @param names for some of them, resource names that say where it would be best, by the rate in
   *     bytes a second at which inputs have come from other nodes so far
   */
  record FirstAsk(int workers, LongFunction<List<List<String>>> names) {}

  /**
   * Those of a session that has not begun.
   *
   * @param dispatcher the caller's until {@link #begin}
   */
  SessionServices(Context context, Dispatcher dispatcher, ManagedRuns runs, Journal journal)
      throws IOException {
    this.context = context;
    this.runs = runs;
    this.controller =
        new SessionController(
            dispatcher,
            new SessionController.Outlets(runs, journal, runs, runs),
            context.clock(),
            new SessionController.Threads(loop, background));
    this.tenure = new CommitLease(context.handover()::requireAlone, System::nanoTime);
    controller.under(tenure);
    this.transfers =
        new TransferCoordinator(
            new TransferSlots(Math.max(1, context.plan().workers().intake().slots())));
    this.pool =
        new ContainerPool(
            spec(dispatcher.workerDemand().pendingInputs(0).bytesPerSecond()),
            new ContainerEvents(controller, awaited, () -> ready.getCount() == 0, runs::note),
            launches,
            this::later,
            context.clock());
    WorkerTokenSecretManager tokens =
        new WorkerTokenSecretManager(
            context.attempt().getApplicationId().toString(), context.handover().secret());
    RpcConfig rpc = RpcConfig.of(context.conf());
    this.server =
        new WorkerRpcServer(
            withEncryption(context),
            rpc,
            tokens,
            context.handover().secret(),
            pool::holds,
            new WorkerEvents(
                transfers,
                controller,
                context.plan().racks(),
                runs::ids,
                pool,
                replacing,
                awaited,
                present));
    this.workers = new WorkerLaunch(context, tokens, rpc, server.port());
    this.registration = new YarnRegistration(pool);
    loop.execute(this::awaitReady);
  }

  /** The NameNode decides, whatever the node's own files say, whether HDFS encrypts data. */
  private static Configuration withEncryption(Context context) throws IOException {
    Configuration conf = new Configuration(context.conf());
    conf.setBoolean(
        RpcConfig.ENCRYPT_DATA_KEY,
        context.fs().getServerDefaults(new Path("/")).getEncryptDataTransfer());
    return conf;
  }

  /** Workers may come while it is still found out what there is to do. */
  private void awaitReady() {
    try {
      ready.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** By then YARN has said of a container that has ended how it did. */
  private void later(Runnable work) {
    try {
      rounds.after(END_MILLIS, work);
    } catch (RejectedExecutionException e) {
      LOG.debug("YARN ends it with the application", e);
    }
  }

  /** What an earlier attempt has measured is known already. */
  private ContainerPool.Spec spec(long bytesPerSecond) {
    MasterPlan plan = context.plan();
    WorkerPlan workers = plan.workers();
    boolean named = plan.mode() == Mode.WEIR;
    return new ContainerPool.Spec(
        workers.count(),
        context.firstAsk().workers(),
        Resource.newInstance(workers.megabytes(), workers.cores()),
        context.firstAsk().names().apply(bytesPerSecond),
        () ->
            named
                ? FirstInputs.names(runs::path, controller.waiting(FirstInputs.FILES_PER_WORKER))
                : List.of());
  }

  /** An address rather than a name where possible: fewer things to go wrong in a container. */
  static String ownAddress() throws UnknownHostException {
    String name = System.getenv(Environment.NM_HOST.name());
    try {
      return InetAddress.getByName(name).getHostAddress();
    } catch (UnknownHostException e) {
      return InetAddress.getLocalHost().getHostAddress();
    }
  }

  /**
   * Registers with YARN and asks for workers. What they report, and everything else that is for the
   * dispatcher, waits until {@link #begin}: up to then the dispatcher is the caller's.
   */
  void hire() throws IOException {
    server.start();
    nodes.init(NodeCalls.settings(context.conf()));
    nodes.start();
    registration.start(context.conf());
    YarnRegistration.Place place = new YarnRegistration.Place(ownAddress(), server.port());
    background.execute(
        () -> {
          try {
            context.handover().publish(place.address(), place.port());
          } finally {
            awaited.canConnect();
          }
        });
    Containers containers = registration.containers(nodes, workers);
    awaited.expect(
        context.attempt().getAttemptId() == 1
            ? registration.registerFirst(place, containers)
            : registration.registerNext(place, containers, context.plan().racks().keySet()));
    rounds.after(RM_FIRST_MILLIS, registration::slowDown);
  }

  /** Hands the dispatcher over to the thread that it lives on from now on. */
  void begin() {
    tenure.start();
    ready.countDown();
    every(STAFF_MILLIS, this::staff);
    every(TICK_MILLIS, controller::tick);
    rounds.everyInHdfs(LateReplicaTracker.PAUSE_MILLIS, this::lookForCopies);
  }

  /**
   * Waits for the workers that earlier ApplicationMasters have started, who say what they have in
   * hand, and gets others in the places of those that do not come.
   */
  void awaitReturning() throws InterruptedException {
    CompletableFuture<?> outcome = controller.outcome();
    CompletableFuture<?> unused =
        outcome.whenComplete(
            (failure, error) -> {
              awaited.close();
              present.changed();
            });
    for (String missing : awaited.await(RETURN_MILLIS)) {
      pool.giveUp(missing, "it has not come to this ApplicationMaster from the one before");
    }
  }

  /**
   * Waits for those, and then for all workers, as long as the plan says and the session has not
   * ended before it began.
   */
  void awaitWorkers() throws InterruptedException {
    awaitReturning();
    CompletableFuture<?> outcome = controller.outcome();
    WorkerPlan workers = context.plan().workers();
    present.await(
        count -> count >= workers.count() || outcome.isDone(), workers.staffing().patienceMillis());
  }

  private void staff() {
    controller.staff(
        context.plan().workers(),
        new ContainerStaffing(pool, context.plan().mode(), runs::path),
        upcoming);
  }

  /**
   * Says what the next workers would read, so that they are asked for where that is.
   *
   * @param inputs asked on the dispatcher's thread: for some tasks the ids of their inputs
   */
  void hireFor(Supplier<List<List<String>>> inputs) {
    upcoming = inputs;
  }

  /** Work gets done: that workers were lost so far says nothing about those to come. */
  void resetEndCount() {
    pool.resetEndCount();
  }

  /** Does something every so often, on a thread where nothing may block for long. */
  void every(long millis, Runnable work) {
    rounds.every(millis, work);
  }

  /** Tells the dispatcher of replicas that HDFS makes later, as they are found. */
  private void lookForCopies() {
    for (ManagedRun run : runs.all()) {
      run.copies()
          .look(
              (file, places) ->
                  controller.placesChanged(
                      (nodes, now) -> nodes.moved(ScopedId.of(run.graph(), file), places, now)));
    }
  }

  PeriodicTasks rounds() {
    return rounds;
  }

  SessionController controller() {
    return controller;
  }

  /** What the caches of the nodes have done, under this ApplicationMaster. */
  CacheTraffic cacheTraffic() {
    CopyAheadTotals ahead = controller.copiedAhead();
    return new CacheTraffic(transfers.bytesFromCaches(), ahead.bytes(), ahead.usedBytes());
  }

  @Override
  public void finish() {
    pool.finish();
    controller.shutDownWorkers();
    try {
      present.await(count -> count == 0, GOODBYE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void requireLast() throws IOException {
    context.handover().requireNotReplaced();
  }

  /** No attempt commits any more. */
  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    tenure.close();
    registration.unregister(failure, remark);
  }

  @Override
  public void close() throws IOException {
    tenure.close();
    rounds.close();
    background.shutdownNow();
    server.close();
    loop.shutdownNow();
    launches.shutdownNow();
    replacing.shutdownNow();
    registration.stop();
    // Stopping the client would wait for each container; YARN ends them with the application.
    LOG.info("Stopped");
  }
}

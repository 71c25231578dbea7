package dev.weir.workflow.session;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.controller.WorkerStaffing;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.journal.CommitLease;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.rpc.WorkerRpcServer;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.SessionClosing;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.MasterPlan;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.ContainerPool;
import dev.weir.workflow.yarn.ContainerTokens;
import dev.weir.workflow.yarn.Containers;
import dev.weir.workflow.yarn.ProxyAccess;
import dev.weir.workflow.yarn.TokenRenewal;
import dev.weir.workflow.yarn.UserKeytab;
import dev.weir.workflow.yarn.YarnRegistration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
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
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of a session's ApplicationMaster: RPC server, containers, timers. They start and
 * stop together.
 */
final class SessionServices implements SessionClosing.Services, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SessionServices.class);

  /**
   * After this time the ApplicationMaster sends heartbeats less often, because the cluster is full.
   */
  private static final long RM_FIRST_MILLIS = 10_000;

  private static final int LAUNCHES = 4;
  private static final long STAFF_MILLIS = 500;
  private static final long TICK_MILLIS = 1_000;
  private static final long SHUTDOWN_MILLIS = 3_000;

  /**
   * How long reconnecting workers are awaited. Workers look for a new ApplicationMaster every
   * second, or less often if HDFS is slow.
   */
  private static final long RETURN_MILLIS = 30_000;

  /** A NodeManager reports an ended container with its next heartbeat, within a second. */
  private static final long END_MILLIS = 3_000;

  static final String UNKNOWN_RACK = "/default-rack";

  private final Context context;
  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(DaemonThreadFactory.named("dispatch"));
  private final PeriodicTasks rounds = new PeriodicTasks();
  private final ExecutorService launches =
      Executors.newFixedThreadPool(LAUNCHES, DaemonThreadFactory.named("launch"));

  /**
   * Separate from the RPC threads, so that a replacement does not delay other workers' messages.
   */
  private final ExecutorService replacements =
      Executors.newFixedThreadPool(LAUNCHES, DaemonThreadFactory.named("replace"));

  private final ExecutorService background =
      Executors.newSingleThreadExecutor(DaemonThreadFactory.named("files"));
  private final ManagedRuns runs;
  private final Dispatcher dispatcher;
  private final SessionController controller;
  private final TransferCoordinator transfers;
  private final ConnectedWorkers connected = new ConnectedWorkers();
  private final WorkerRpcServer server;
  private final WorkerLaunch workers;
  private final NMClient nodes = NMClient.createNMClient();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CommitLease commitLease;
  private final AwaitedWorkers reconnects = new AwaitedWorkers();
  private final ContainerPool pool;
  private volatile Supplier<List<List<String>>> upcoming = List::of;
  private final YarnRegistration registration;
  private final @Nullable TokenRenewal tokenRenewal;
  private volatile @Nullable LiveReport report;

  /**
   * What the services share.
   *
   * @param runs the parent of the runs' directories
   * @param initialRequest the workers that are requested at the start
   * @param hintsInForce whether the NameNode follows the hints in the workers' directory, or may
   *     soon do so; called when a worker starts
   * @param fencing fences an earlier attempt and publishes this one's address
   */
  record Context(
      YarnConfiguration conf,
      DistributedFileSystem fs,
      Staging staging,
      Path runs,
      MasterPlan plan,
      InitialRequest initialRequest,
      BooleanSupplier hintsInForce,
      ApplicationAttemptId attempt,
      MasterFencing fencing,
      Clock clock) {}

  /**
   * The first request for workers.
   *
   * @param names resource names with preferred nodes, for some of the workers; the argument is the
   *     measured rate of remote input in bytes per second, or 0
   */
  record InitialRequest(int workers, LongFunction<List<List<String>>> names) {}

  /**
   * Creates the services of a session that has not begun.
   *
   * @param dispatcher used by the caller's thread until {@link #begin}
   */
  SessionServices(Context context, Dispatcher dispatcher, ManagedRuns runs, Journal journal)
      throws IOException {
    this.context = context;
    this.runs = runs;
    this.dispatcher = dispatcher;
    this.controller =
        new SessionController(
            dispatcher,
            new SessionController.Collaborators(runs, journal, runs, runs),
            context.clock(),
            new SessionController.Threads(loop, background));
    this.commitLease = new CommitLease(context.fencing()::requireAlone, System::nanoTime);
    controller.useLease(commitLease);
    this.transfers =
        new TransferCoordinator(
            new TransferSlots(Math.max(1, context.plan().workers().intake().slots())));
    this.pool =
        new ContainerPool(
            spec(dispatcher.workerDemand().pendingInputs(0).bytesPerSecond()),
            new ContainerEvents(controller, reconnects, () -> ready.getCount() == 0, runs::note),
            launches,
            this::afterContainerEnd,
            context.clock());
    WorkerTokenSecretManager tokens =
        new WorkerTokenSecretManager(
            context.attempt().getApplicationId().toString(), context.fencing().secret());
    RpcConfig rpc = RpcConfig.of(context.conf());
    this.server =
        new WorkerRpcServer(
            withEncryption(context),
            rpc,
            tokens,
            context.fencing().secret(),
            pool::holds,
            new WorkerEvents(
                transfers,
                controller,
                context.plan().racks(),
                runs::ids,
                pool,
                replacements,
                reconnects,
                connected));
    this.workers = new WorkerLaunch(context, tokens, rpc, server.port());
    this.registration = new YarnRegistration(pool);
    this.tokenRenewal = tokenRenewal(context);
    loop.execute(this::awaitReady);
  }

  private @Nullable TokenRenewal tokenRenewal(Context context) {
    return UserKeytab.ofMaster(context.conf())
        .map(
            keytab ->
                new TokenRenewal(
                    keytab,
                    context.conf(),
                    context.fs().getUri(),
                    context.clock(),
                    this::renewTokens))
        .orElse(null);
  }

  private void renewTokens(Credentials tokens) {
    try {
      connected.renew(new Message.NewTokens(ContainerTokens.encode(tokens)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes HDFS's data encryption setting from the NameNode, not from the node's own files. */
  private static Configuration withEncryption(Context context) throws IOException {
    Configuration conf = new Configuration(context.conf());
    try {
      conf.setBoolean(
          RpcConfig.ENCRYPT_DATA_KEY,
          HdfsRetry.DEFAULT.through(
              () -> context.fs().getServerDefaults(new Path("/")).getEncryptDataTransfer()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while asking the NameNode for its settings");
    }
    return conf;
  }

  /**
   * Blocks the event loop until {@link #begin}: workers may join before the journal is replayed.
   */
  private void awaitReady() {
    try {
      ready.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs work after the time within which YARN reports how a container ended. */
  private void afterContainerEnd(Runnable work) {
    try {
      rounds.after(END_MILLIS, work);
    } catch (RejectedExecutionException e) {
      LOG.debug("YARN ends it with the application", e);
    }
  }

  /**
   * Returns the containers to request. The rate that an earlier attempt measured comes from the
   * journal.
   */
  private ContainerPool.Spec spec(long bytesPerSecond) {
    MasterPlan plan = context.plan();
    WorkerPlan workers = plan.workers();
    boolean named = plan.mode() == Mode.WEIR;
    return new ContainerPool.Spec(
        workers.count(),
        context.initialRequest().workers(),
        Resource.newInstance(workers.megabytes(), workers.cores()),
        context.initialRequest().names().apply(bytesPerSecond),
        () ->
            named
                ? InputResourceNames.names(
                    runs::path, controller.waiting(InputResourceNames.FILES_PER_WORKER))
                : List.of(),
        new ContainerPool.Dedicated(
            workers::megabytes, WorkerPlan.OWN_MEGABYTES, workers.cluster()));
  }

  /** Returns this node's IP address if possible: name resolution may fail in a container. */
  static String ownAddress() throws UnknownHostException {
    String name = System.getenv(Environment.NM_HOST.name());
    try {
      return InetAddress.getByName(name).getHostAddress();
    } catch (UnknownHostException e) {
      return InetAddress.getLocalHost().getHostAddress();
    }
  }

  /**
   * Registers with YARN and requests workers. Events for the dispatcher are queued until {@link
   * #begin}: until then only the caller uses the dispatcher.
   */
  void registerAndRequestWorkers() throws IOException {
    server.start();
    if (tokenRenewal != null) {
      tokenRenewal.start();
    }
    nodes.init(NodeManagerSettings.settings(context.conf()));
    nodes.start();
    registration.start(context.conf());
    String address = ownAddress();
    YarnRegistration.Place place =
        new YarnRegistration.Place(address, server.port(), startReport(address));
    background.execute(
        () -> {
          try {
            context.fencing().publish(place.address(), place.port());
          } finally {
            reconnects.canConnect();
          }
        });
    Containers containers =
        registration.containers(
            nodes, id -> workers.context(id, pool.dedication(id), pool.firstOfGang(id)));
    reconnects.expect(
        context.attempt().getAttemptId() == 1
            ? registration.registerFirst(place, containers)
            : registration.registerNext(place, containers, context.plan().racks().keySet()));
    rounds.after(RM_FIRST_MILLIS, registration::slowDown);
  }

  /** Starts the page of the live runs, and returns its URL; empty if it cannot be served. */
  private String startReport(String address) {
    try {
      String viewers =
          ApplicationRequest.of(context.plan().settings())
              .access()
              .getOrDefault(ApplicationAccessType.VIEW_APP, " ");
      ProxyAccess access = ProxyAccess.of(context.conf(), context.plan().user(), viewers);
      LiveReport started = LiveReport.start(context.conf(), runs, access, context.clock());
      report = started;
      return "http://" + address + ":" + started.port() + "/";
    } catch (IOException | RuntimeException e) {
      LOG.warn("The ResourceManager shows no page of this application", e);
      return "";
    }
  }

  /** Starts the event loop, which alone uses the dispatcher from now on. */
  void begin() {
    commitLease.start();
    pool.resourceRefusal().ifPresent(dispatcher::refuseResources);
    ready.countDown();
    every(STAFF_MILLIS, this::adjustWorkerCount);
    every(TICK_MILLIS, controller::tick);
  }

  /**
   * Waits for the workers of earlier application attempts to reconnect, and replaces those that do
   * not.
   */
  void awaitReconnects() throws InterruptedException {
    CompletableFuture<?> outcome = controller.outcome();
    CompletableFuture<?> unused =
        outcome.whenComplete(
            (failure, error) -> {
              reconnects.close();
              connected.changed();
            });
    for (String missing : reconnects.await(RETURN_MILLIS)) {
      pool.replace(missing, "it has not reconnected to the new ApplicationMaster");
    }
  }

  /**
   * Waits for reconnecting workers, then for the planned number of workers. Returns at the plan's
   * time limit or when the session ends.
   */
  void awaitWorkers() throws InterruptedException {
    awaitReconnects();
    CompletableFuture<?> outcome = controller.outcome();
    WorkerPlan workers = context.plan().workers();
    connected.await(
        count -> count >= workers.count() || outcome.isDone(), workers.staffing().patienceMillis());
  }

  private void adjustWorkerCount() {
    controller.adjustWorkerCount(context.plan().workers(), new ContainerStaffing(), upcoming);
  }

  /** Requests containers near the inputs of waiting tasks, and releases idle ones. */
  private final class ContainerStaffing implements WorkerStaffing {

    @Override
    public void request(int workers, List<List<String>> inputs) {
      pool.want(
          workers,
          inputs.stream()
              .filter(ids -> context.plan().mode() == Mode.WEIR && !ids.isEmpty())
              .map(ids -> InputResourceNames.name(ids.stream().map(runs::path).toList(), 0))
              .toList());
    }

    @Override
    public void requestDedicated(Map<ResourceNeeds, Integer> workers) {
      pool.wantDedicated(workers);
    }

    @Override
    public void release(String worker) {
      LOG.info("{} is idle and is released", worker);
      pool.release(worker);
    }
  }

  /**
   * Sets the inputs of the next tasks, so that further workers are requested near them.
   *
   * @param inputs called on the event loop; returns the input ids of some ready tasks
   */
  void placeNextWorkers(Supplier<List<List<String>>> inputs) {
    upcoming = inputs;
  }

  /** Resets the count of lost workers, because a job has ended. */
  void resetEndCount() {
    pool.resetEndCount();
  }

  /** Runs work periodically on a thread that must not block for long. */
  void every(long millis, Runnable work) {
    rounds.every(millis, work);
  }

  /** Returns the session's id, which is that of its first run if it began with one. */
  String id() {
    return context.attempt().getApplicationId().toString();
  }

  PeriodicTasks rounds() {
    return rounds;
  }

  SessionController controller() {
    return controller;
  }

  /** Returns the traffic of the node caches under this ApplicationMaster. */
  CacheTraffic cacheTraffic() {
    return new CacheTraffic(transfers.bytesFromCaches());
  }

  @Override
  public void finish() {
    pool.finish();
    controller.shutDownWorkers();
    try {
      connected.await(count -> count == 0, SHUTDOWN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void requireLast() throws IOException {
    context.fencing().requireNotReplaced();
  }

  /** Closes the commit lease first, so that no attempt commits after the end. */
  @Override
  public void unregister(@Nullable RunFailure failure, String remark) throws IOException {
    commitLease.close();
    registration.unregister(failure, remark);
  }

  @Override
  public void close() throws IOException {
    commitLease.close();
    if (tokenRenewal != null) {
      tokenRenewal.close();
    }
    rounds.close();
    background.shutdownNow();
    server.close();
    LiveReport page = report;
    if (page != null) {
      page.close();
    }
    loop.shutdownNow();
    launches.shutdownNow();
    replacements.shutdownNow();
    registration.stop();
    // The NM client is not stopped: that would wait for each container, and YARN ends them anyway.
    LOG.info("Stopped");
  }
}

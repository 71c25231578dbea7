package dev.weir.workflow.worker;

import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.cache.CacheClient;
import dev.weir.workflow.cache.CacheDirectory;
import dev.weir.workflow.cache.CacheLimit;
import dev.weir.workflow.cache.CachingStore;
import dev.weir.workflow.cache.CoordinatedTransfers;
import dev.weir.workflow.cache.NodeCache;
import dev.weir.workflow.cache.NodeReader;
import dev.weir.workflow.cache.WriteBackCopier;
import dev.weir.workflow.gang.Gang;
import dev.weir.workflow.gang.GangMember;
import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.image.TaskContainers;
import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.rpc.MasterConnection;
import dev.weir.workflow.rpc.MasterRpcClient;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.staging.MasterAddress;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.store.HdfsDataStore;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.Transfers;
import dev.weir.workflow.yarn.ContainerTokens;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Entry point of a worker's container. */
public final class WorkerMain {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
  private static final int MEBI_BITS = 20;
  private static final long RENEW_MILLIS = 5_000;
  private static final long STOP_SECONDS = 5;

  /** Output of successful commands is written together at this interval. */
  private static final long OUTPUT_MILLIS = 2_000;

  /**
   * Streams read in parallel from as many DataNodes. A connection that is not cached costs both
   * sides a new one, and the DataNode a thread, for the next file.
   */
  private static final int KEPT_CONNECTIONS = 64;

  /** A key of the client file system, which is a plugin of the cluster and not of this module. */
  private static final String HINTS_FILE_KEY = "weir.client.hints.file";

  private WorkerMain() {}

  /**
   * Runs a worker with the settings in its container's environment.
   *
   * @throws Exception when it cannot start; YARN shows it in the container's stderr
   */
  public static void main(String[] args) throws Exception {
    WorkerSettings settings =
        WorkerSettings.fromEnvironment(System.getenv(), Path.of("").toAbsolutePath());
    if (settings.gangFirst().isEmpty()) {
      run(settings);
    } else {
      new RunDirectory(settings).member().serve();
    }
    // Threads of Hadoop's clients would keep the container alive.
    System.exit(0);
  }

  private static void run(WorkerSettings settings) throws IOException, InterruptedException {
    Transfers transfers = Transfers.start(settings.largeBytes(), WorkerMain::daemon);
    ExecutorService attempts = Executors.newCachedThreadPool(WorkerMain::daemon);
    CoordinatedTransfers turns =
        new CoordinatedTransfers(
            settings.node(), settings.largeBytes(), RENEW_MILLIS, System::nanoTime);
    try (ProcessGuard guard = new ProcessGuard(settings.worker());
        CommandShells shells = new CommandShells(places(settings).environment(), guard);
        TaskContainers containers = containers(settings);
        MasterLink link = join(settings);
        Gang gang = gang(settings, link)) {
      turns.ask(link::send);
      Hdfs hdfs = new Hdfs(settings, turns, link);
      CachingStore caching = sharedCache(settings, hdfs.store(), turns, link);
      hdfs.open();
      TaskRunner runner =
          new TaskRunner(
              caching == null ? hdfs.store() : caching,
              places(settings),
              new TaskRunner.Tools(transfers, shells, System::nanoTime, containers, gang));
      KeptLogs printed = hdfs.printed();
      Worker.Handlers handlers =
          new Worker.Handlers(
              printed, turns::come, others(caching, link, transfers).or(WorkerMain::takesTokens));
      ResourceGate gate = new ResourceGate(settings.cores(), settings.memoryBytes());
      new Worker(runner, gate, attempts, link, handlers).work();
      printed.close();
      if (!attempts.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The attempts in flight did not stop; they end with this process");
      }
    }
  }

  /** Connects to the ApplicationMaster that has started this worker, or to its successor. */
  private static MasterLink join(WorkerSettings settings) throws IOException, InterruptedException {
    MasterRpcClient client =
        new MasterRpcClient(
            new Configuration(),
            settings.rpc(),
            UserGroupInformation.getCurrentUser().getCredentials(),
            settings.worker(),
            settings.node());
    MasterSearch search =
        new MasterSearch(
            new RunDirectory(settings)::address,
            client::dial,
            TimeUnit.MILLISECONDS::sleep,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextDouble(),
            settings.masterPatienceMillis(),
            settings.rpc().silence().toMillis(),
            InetSocketAddress.createUnresolved(settings.masterHost(), settings.masterPort()));
    MasterConnection first;
    try {
      first = search.first();
    } catch (IOException e) {
      LOG.info("The ApplicationMaster does not answer: {}", e.toString());
      first = search.find();
      if (first == null) {
        throw e;
      }
    }
    // The first message to any ApplicationMaster: no attempts are held.
    first.send(new Message.InHand(List.of()));
    return new MasterLink(first, search, System::nanoTime);
  }

  /** Reads and writes addresses; opens HDFS on the first call. */
  private static final class RunDirectory {

    private final WorkerSettings settings;
    private @Nullable Staging staging;

    RunDirectory(WorkerSettings settings) {
      this.settings = settings;
    }

    MasterAddress address() throws IOException {
      return open().readJson(Staging.MASTER, MasterAddress.class);
    }

    void announce(Gang gang) throws IOException {
      gang.announce(open(), settings.node());
    }

    GangMember member() throws IOException, InterruptedException {
      return GangMember.find(
          open(),
          settings.gangFirst(),
          WorkerTokenSecretManager.cacheSecretOf(
              UserGroupInformation.getCurrentUser().getCredentials()),
          new GangMember.Container(
              settings.worker(),
              CommandEnvironment.base(Map.copyOf(System.getenv())),
              Files.createDirectories(Path.of("tmp").toAbsolutePath())));
    }

    private Staging open() throws IOException {
      Staging open = staging;
      if (open == null) {
        open =
            new Staging(
                withoutHints(settings), new org.apache.hadoop.fs.Path(settings.directory()));
        staging = open;
      }
      return open;
    }
  }

  private static DistributedFileSystem withoutHints(WorkerSettings settings) throws IOException {
    Configuration conf = ReadFailoverSettings.applyTo(new HdfsConfiguration());
    conf.setBoolean(PlainHdfs.HINTS_KEY, false);
    return PlainHdfs.open(settings.fileSystem(), conf);
  }

  /** HDFS, which is opened while the worker is already connected. */
  private static final class Hdfs {

    private final WorkerSettings settings;
    private final CompletableFuture<DistributedFileSystem> opened = new CompletableFuture<>();
    private final HdfsDataStore store;

    Hdfs(WorkerSettings settings, CoordinatedTransfers turns, MasterLink link) {
      this.settings = settings;
      this.store = new HdfsDataStore(opened, settings.node(), turns);
      store.ifUseless(
          problem -> {
            // The session starts another worker.
            LOG.error("HDFS cannot be opened; this worker ends", problem);
            link.close();
          });
    }

    void open() {
      daemon(this::openNow).start();
    }

    private void openNow() {
      try {
        if (settings.inForce() && settings.outputHints() == null) {
          tryHints(
              HdfsRetry.DEFAULT,
              () -> withoutHints(settings),
              settings.directory(),
              settings.hints());
        }
        Configuration conf = clientConfiguration(settings, new HdfsConfiguration());
        opened.complete(PlainHdfs.open(settings.fileSystem(), conf));
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        opened.completeExceptionally(e);
      }
    }

    DataStore store() {
      return store;
    }

    KeptLogs printed() {
      ScheduledExecutorService writer =
          Executors.newSingleThreadScheduledExecutor(WorkerMain::daemon);
      return new KeptLogs(
          opened,
          new KeptLogs.Directories(
              new org.apache.hadoop.fs.Path(settings.directory()),
              new org.apache.hadoop.fs.Path(settings.runs())),
          new KeptLogs.Local(
              settings.worker(),
              settings.logs(),
              settings.lastLogs()
                  ? new LogRotation(
                      settings.logs(), LogRotation.MAX_ATTEMPTS, LogRotation.MAX_BYTES)
                  : null),
          work -> {
            Future<?> unused = writer.schedule(work, OUTPUT_MILLIS, TimeUnit.MILLISECONDS);
          });
    }
  }

  private static Predicate<Message> others(
      @Nullable CachingStore caching, MasterLink link, Transfers transfers) {
    if (caching == null) {
      return message -> false;
    }
    WriteBackCopier writeBack =
        caching.writeBack(WorkerMain::daemon, link::send, transfers::areBusy);
    link.onNewMaster(writeBack::masterReplaced);
    return message -> {
      if (message instanceof Message.StoreDrop drop) {
        caching.drop(drop);
        return true;
      }
      if (message instanceof Message.WriteBack order) {
        writeBack.copy(order);
        return true;
      }
      if (message instanceof Message.PermitWriteBack permit) {
        writeBack.answered(permit);
        return true;
      }
      return false;
    };
  }

  /** Handles new delegation tokens. HDFS's clients use them for their next connections. */
  private static boolean takesTokens(Message message) {
    if (!(message instanceof Message.NewTokens renewed)) {
      return false;
    }
    try {
      UserGroupInformation.getCurrentUser()
          .addCredentials(ContainerTokens.decode(renewed.tokens()));
      LOG.info("Received new delegation tokens");
    } catch (IOException e) {
      LOG.warn("Cannot use new delegation tokens", e);
    }
    return true;
  }

  /** Opens the cache and connects it; null if it cannot be opened. */
  private static @Nullable CachingStore sharedCache(
      WorkerSettings settings, DataStore store, CoordinatedTransfers turns, MasterLink link) {
    CacheClient client = new CacheClient(link::cacheSecurity, System::nanoTime);
    turns.share(client);
    NodeReader nodes =
        new NodeReader(turns, client, TimeUnit.MILLISECONDS::sleep, System::nanoTime);
    CachingStore caching = openCache(settings, store, nodes);
    if (caching != null) {
      caching.connect(link::send, Executors.newSingleThreadScheduledExecutor(WorkerMain::daemon));
      link.onNewMaster(caching::reportAll);
      // Before the first task: a reader whose cache is not open is no source for others.
      share(caching, link, settings.ports());
    }
    return caching;
  }

  /** Serves the cache to other nodes; otherwise they read from HDFS, and all outputs go there. */
  private static void share(CachingStore caching, MasterLink link, PortRange ports) {
    try {
      caching.share(link::cacheSecurity, WorkerMain::daemon, link::send, ports);
    } catch (IOException e) {
      LOG.warn("Other nodes cannot read from the cache of this node", e);
    }
  }

  /** The cache lives as long as this process; its directory as long as the application. */
  private static @Nullable CachingStore openCache(
      WorkerSettings settings, DataStore store, NodeReader nodes) {
    WorkerSettings.Cache cache = settings.cache();
    if (cache == null) {
      return null;
    }
    try {
      Configuration yarn = new Configuration(false);
      // Without YARN's defaults, which take long to read.
      yarn.addResource(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE);
      CacheDirectory own = open(cache.directory(), cache, yarn);
      List<CacheDirectory> others = new ArrayList<>();
      for (Path other : cache.otherDisks()) {
        try {
          others.add(open(other, cache, yarn));
        } catch (IOException e) {
          LOG.warn("Cannot read outputs of tasks on another disk", e);
        }
      }
      return new CachingStore(
          store, new NodeCache(own, others, Clock.systemUTC(), NodeCache.COPIED_BYTES), nodes);
    } catch (IOException | RuntimeException e) {
      LOG.warn("No cache on this node; each task fetches its inputs for itself", e);
      return null;
    }
  }

  private static CacheDirectory open(Path directory, WorkerSettings.Cache cache, Configuration yarn)
      throws IOException {
    long most = cache.megabytes() < 0 ? Long.MAX_VALUE : (long) cache.megabytes() << MEBI_BITS;
    return CacheDirectory.open(
        directory, CacheLimit.on(Files.getFileStore(parent(directory)), most, yarn));
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /**
   * Copies the run's hint set, if it has one. Hints are advice: if they cannot be read, the worker
   * works without them.
   *
   * @param opener opens HDFS
   * @throws IOException when HDFS does not answer
   */
  static void tryHints(
      HdfsRetry retry, CallableRaisingIOE<FileSystem> opener, String directory, Path target)
      throws IOException, InterruptedException {
    try {
      retry.run(
          () -> {
            try (FileSystem fs = opener.apply()) {
              copyHints(fs, directory, target);
            }
          });
    } catch (IOException e) {
      if (HdfsOutages.isOutage(e)) {
        throw e;
      }
      LOG.warn("Cannot read the hints of the run; files are written without them", e);
      Files.deleteIfExists(target);
    }
  }

  /**
   * Copies the run's hint set, if it has one.
   *
   * @param directory the session's directory, which has it
   * @param target where the client file system reads it
   */
  static void copyHints(FileSystem fs, String directory, Path target) throws IOException {
    try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(directory, Staging.HINTS))) {
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (FileNotFoundException e) {
      LOG.debug("The run has no hints", e);
    }
  }

  /** Configures the worker's HDFS client; changes the given configuration. */
  static Configuration clientConfiguration(WorkerSettings settings, Configuration node) {
    Configuration conf = ReadFailoverSettings.applyTo(node);
    Path hints = settings.outputHints() == null ? settings.hints() : settings.outputHints();
    boolean hasHints = settings.outputHints() != null || Files.exists(hints);
    if (!hasHints || !settings.inForce()) {
      conf.setBoolean(PlainHdfs.HINTS_KEY, false);
    } else {
      conf.set(HINTS_FILE_KEY, hints.toString());
    }
    conf.setInt(
        HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY,
        Math.max(
            KEPT_CONNECTIONS,
            conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0)));
    if (settings.replication() > 0) {
      conf.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, settings.replication());
    }
    return conf;
  }

  /** Opens the port for the other containers of the gang, and announces it; null without a gang. */
  private static @Nullable Gang gang(WorkerSettings settings, MasterLink link) throws IOException {
    if (settings.gangMembers() == 0) {
      return null;
    }
    Gang gang =
        new Gang(
            settings.worker(),
            settings.gangMembers(),
            link.cacheSecurity(),
            settings.ports(),
            WorkerMain::daemon);
    new RunDirectory(settings).announce(gang);
    return gang;
  }

  private static TaskContainers containers(WorkerSettings settings) {
    return new TaskContainers(
        new TaskContainers.Worker(
            settings.worker(),
            settings.node(),
            settings.memoryBytes(),
            settings.application(),
            CommandEnvironment.base(Map.copyOf(System.getenv()))),
        () -> {
          Configuration conf = new Configuration();
          conf.addResource(ClientSettings.SITE_FILE);
          return conf.get(TaskContainers.KEY, TaskContainers.DEFAULT);
        });
  }

  private static TaskRunner.Places places(WorkerSettings settings) throws IOException {
    return new TaskRunner.Places(
        Path.of("tasks").toAbsolutePath(),
        settings.logs(),
        CommandEnvironment.base(Map.copyOf(System.getenv())),
        TaskSecrets.of(UserGroupInformation.getCurrentUser().getCredentials()),
        new OutputHints(settings.outputHints()));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }
}

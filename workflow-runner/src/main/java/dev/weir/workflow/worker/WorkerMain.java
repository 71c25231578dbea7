package dev.weir.workflow.worker;

import dev.weir.hints.HintSettings;
import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Entry point of a worker's container. */
public final class WorkerMain {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
  private static final int MEBI_BITS = 20;
  private static final int CONNECT_MILLIS = 5_000;
  private static final long RENEW_MILLIS = 5_000;
  private static final long STOP_SECONDS = 5;

  /** Keys of the client file system, which is a plugin of the cluster and not of this module. */
  private static final String HINTS_KEY = "weir.client.hints.file";

  private static final String PATIENCE_KEY = "weir.client.hints.patience";

  /** Hints are read from the start; a short first task may write before they are there. */
  private static final String PATIENCE = "1s";

  private WorkerMain() {}

  /**
   * Runs a worker with what its container's environment says.
   *
   * @param args none
   * @throws Exception when it cannot start; YARN shows it in the container's stderr
   */
  public static void main(String[] args) throws Exception {
    run(WorkerSettings.fromEnvironment(System.getenv(), Path.of("").toAbsolutePath()));
    // Hadoop's clients leave threads behind that would keep the container.
    System.exit(0);
  }

  private static void run(WorkerSettings settings) throws IOException, InterruptedException {
    Configuration conf = clientConfiguration(settings, new Configuration());
    Transfers transfers = Transfers.start(settings.largeBytes(), WorkerMain::daemon);
    ExecutorService attempts = Executors.newCachedThreadPool(WorkerMain::daemon);
    // Before it joins: from then on it has to be heard every few seconds.
    DistributedFileSystem fs = fileSystem(settings, conf);
    AskedTurns turns =
        new AskedTurns(settings.node(), settings.largeBytes(), RENEW_MILLIS, System::nanoTime);
    DataStore store = new HdfsDataStore(fs, settings.node(), turns);
    CachingStore caching = openCache(settings, store);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(WorkerMain::daemon);
    Printed printed =
        new KeptLogs(fs, new org.apache.hadoop.fs.Path(settings.runDirectory()), settings.logs());
    try (Socket socket = new Socket();
        ProcessGuard guard = new ProcessGuard(settings.worker());
        CommandShells shells = new CommandShells(places(settings).environment(), guard)) {
      socket.connect(
          new InetSocketAddress(settings.masterHost(), settings.masterPort()), CONNECT_MILLIS);
      Connection connection =
          new Handshake(
                  Secret.fromHex(settings.secret()), new SecureRandom(), Connection.Timing.DEFAULT)
              .join(socket, settings.worker(), settings.node());
      turns.ask(connection::send);
      if (caching != null) {
        caching.tell(connection::send, timer);
        if (settings.largeBytes() < Long.MAX_VALUE && !isPrivate(fs)) {
          share(settings, caching, turns, connection);
        }
      }
      new Worker(
              new TaskRunner(
                  caching == null ? store : caching,
                  places(settings),
                  new TaskRunner.Tools(transfers, shells, System::nanoTime)),
              new Gate(settings.cores(), settings.memoryBytes()),
              attempts,
              connection,
              new Worker.Aides(printed, turns::come, others(caching, connection)))
          .work();
      if (!attempts.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The attempts in flight did not stop; they end with this process");
      }
    }
  }

  /** What is copied ahead goes into the cache. */
  private static Predicate<Message> others(@Nullable CachingStore caching, Connection connection) {
    return caching == null
        ? message -> false
        : caching.ahead(WorkerMain::daemon, connection::send)::heard;
  }

  /** Where HDFS encrypts what goes over the network nothing is to go there in the clear. */
  private static boolean isPrivate(DistributedFileSystem fs) throws IOException {
    String protection =
        fs.getConf().getTrimmed(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "");
    return protection.contains("privacy")
        || fs.getServerDefaults(new org.apache.hadoop.fs.Path("/")).getEncryptDataTransfer();
  }

  /** Large files go from cache to cache; without that all come from HDFS. */
  private static void share(
      WorkerSettings settings, CachingStore caching, AskedTurns turns, Connection connection) {
    Secret secret = Secret.fromHex(settings.secret());
    try {
      turns.share(new CacheClient(secret));
      caching.share(secret, WorkerMain::daemon, connection::send);
    } catch (IOException e) {
      LOG.warn("Others cannot read from the cache of this node", e);
    }
  }

  /** The cache lives as long as this process; its directory as long as the application. */
  private static @Nullable CachingStore openCache(WorkerSettings settings, DataStore store) {
    WorkerSettings.Cache cache = settings.cache();
    if (cache == null) {
      return null;
    }
    try {
      CacheRoom room =
          cache.megabytes() < 0
              ? CacheRoom.shareOf(Files.getFileStore(parent(cache.directory())))
              : CacheRoom.of((long) cache.megabytes() << MEBI_BITS);
      return new CachingStore(
          store,
          new NodeCache(
              CacheSpace.open(cache.directory(), room), Clock.systemUTC(), NodeCache.COPIED_BYTES));
    } catch (IOException | RuntimeException e) {
      LOG.warn("No cache on this node; each task fetches its inputs for itself", e);
      return null;
    }
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** How the worker's HDFS client is to be; changes the configuration given. */
  static Configuration clientConfiguration(WorkerSettings settings, Configuration node) {
    Configuration conf = QuickFailover.applyTo(node);
    if (settings.hints() == null) {
      // The client of a run without hints waits for none.
      conf.set(HintSettings.QUORUM_KEY, "");
    } else {
      conf.setIfUnset(PATIENCE_KEY, PATIENCE);
      if (settings.inForce()) {
        // A file is read at once; a session with ZooKeeper costs a worker a fifth of its start.
        conf.set(HINTS_KEY, settings.hints().toString());
      }
    }
    if (settings.replication() > 0) {
      conf.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, settings.replication());
    }
    return conf;
  }

  private static DistributedFileSystem fileSystem(WorkerSettings settings, Configuration conf)
      throws IOException {
    FileSystem fs = FileSystem.get(settings.fileSystem(), conf);
    if (fs instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException(settings.fileSystem() + " is no HDFS: run on a cluster with HDFS");
  }

  private static TaskRunner.Places places(WorkerSettings settings) {
    return new TaskRunner.Places(
        Path.of("tasks").toAbsolutePath(),
        settings.logs(),
        CommandEnvironment.base(Map.copyOf(System.getenv())));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }
}

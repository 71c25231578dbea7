package dev.weir.service.reconcile;

import dev.weir.hints.HintSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.service.access.CacheCapacity;
import dev.weir.service.access.HintLimits;
import dev.weir.service.auto.AutoSettings;
import dev.weir.service.auto.MergedCounts;
import dev.weir.service.auto.NameNodeCounts;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.part.LeaderTask;
import dev.weir.service.part.ServicePart;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.metrics2.MetricsSystem;

public final class ReconcilerPart implements ServicePart {
  /** The name of the part, also of one without a reconciler. */
  public static final String NAME = "reconciler";

  private final Configuration configuration;
  private final HintStore store;
  private final Admission admission;
  private final Predicate<String> administrators;
  private final ReconcilerMetrics counters;
  private final Reconciler reconciler;
  private final AutoReplication auto;
  private final UseExplainer use;
  private final Set<Object> resources;

  /**
   * Creates a reconciler that is not running.
   *
   * @param configuration with the file system and ZooKeeper
   * @param limits the limits for users who are not administrators
   * @param administrators tells whether a user is an administrator
   */
  public ReconcilerPart(
      Configuration configuration,
      HintStore store,
      HintLimits limits,
      Predicate<String> administrators,
      MetricsSystem metrics) {
    this.configuration = withoutHints(configuration);
    this.store = store;
    this.administrators = administrators;
    this.admission = new Admission(limits.replication(), limits.setsPerUser(), administrators);
    this.counters = ReconcilerMetrics.register(metrics);
    this.reconciler =
        new Reconciler(
            this::open, store, ReconcilerSettings.from(configuration), Clock.systemUTC());
    AutoReplication.Timing timing = AutoReplication.Timing.real();
    MergedCounts counts =
        new MergedCounts(
            NameNodeCounts.addresses(configuration), new NameNodeCounts(configuration), timing);
    this.auto =
        new AutoReplication(
            this::openAuto, store, counts, AutoSettings.from(configuration), timing);
    this.use = UseExplainer.of(auto::status, counts);
    this.resources = Set.of(new AutoReplicationResource(auto, counts, administrators));
  }

  /** Returns a part without a reconciler, whose calls answer that this service has none. */
  public static ServicePart without(Predicate<String> administrators) {
    return new ServicePart() {
      @Override
      public String name() {
        return NAME;
      }

      @Override
      public Set<Object> resources() {
        return Set.of(new AutoReplicationResource(null, null, administrators));
      }
    };
  }

  @Override
  public Set<Object> resources() {
    return resources;
  }

  /** Returns what explains the replicas of files under {@code auto}. */
  public UseExplainer useExplainer() {
    return use;
  }

  /** Returns whether the reconciler is enabled and the file system is HDFS. */
  public static boolean isWanted(Configuration configuration) {
    return ReconcilerSettings.from(configuration).enabled()
        && HintSettings.from(configuration).isEnabled()
        && "hdfs".equals(FileSystem.getDefaultUri(configuration).getScheme());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<LeaderTask> leaderTasks() {
    return List.of(reconciler, auto);
  }

  @Override
  public Map<String, Object> status(String user) {
    Map<String, Object> status = reconciler.status();
    if (counters.cachedInVain.value() > 0) {
      status.put("cache-warning", CacheCapacity.NONE);
    }
    // Others may not know the paths.
    if (administrators.test(user)) {
      status.put("ignored-hints", counters.ignored.list());
    }
    return status;
  }

  @Override
  public void close() {
    counters.close();
  }

  private AutoReplication.Term openAuto() throws IOException {
    DistributedFileSystem hdfs = openHdfs();
    try {
      return new AutoReplication.Term(
          new HdfsNamespace(hdfs),
          ZooKeeperReconcilerStore.open(HintSettings.from(configuration)),
          counters,
          administrators,
          hdfs);
    } catch (IOException | RuntimeException e) {
      hdfs.close();
      throw e;
    }
  }

  private DistributedFileSystem openHdfs() throws IOException {
    FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(configuration), configuration);
    if (fs instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    fs.close();
    throw new IOException(fs.getUri() + " is not HDFS: there is nothing to reconcile");
  }

  private Reconciler.Term open() throws IOException {
    DistributedFileSystem hdfs = openHdfs();
    try {
      return new Reconciler.Term(
          new Reconciliation(
              new HdfsNamespace(hdfs),
              store,
              admission,
              counters,
              new Reconciliation.Setup(
                  ReconcilerSettings.from(configuration).cacheFiles(), Clock.systemUTC())),
          hdfs.getClient().getNamenode(),
          ZooKeeperReconcilerStore.open(HintSettings.from(configuration)),
          counters,
          hdfs);
    } catch (IOException | RuntimeException e) {
      hdfs.close();
      throw e;
    }
  }

  /** Copies the configuration so that the reconciler's own file system follows no hints. */
  private static Configuration withoutHints(Configuration configuration) {
    Configuration copy = new Configuration(configuration);
    copy.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    return copy;
  }
}

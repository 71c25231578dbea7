package dev.weir.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.bench.series.RunUsage;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Samples the counters of all links and the bytes in HDFS, so that the use between two moments can
 * be computed later. A run's first task starts long after its containers have downloaded their
 * files, so counting must start at the task.
 */
public final class ClusterMeter implements AutoCloseable {
  private static final long PERIOD_MILLIS = 100;

  /** DataNodes report to the NameNode once a second. */
  private static final int STORAGE_EVERY = 5;

  /** The time in which each DataNode has reported twice. */
  private static final long CHECK_MILLIS = 2_500;

  private static final int MAX_CHECKS = 24;

  private final LocalCluster cluster;
  private final Clock clock;
  private final List<String> nodes = new ArrayList<>();
  private final CounterReadings readings = new CounterReadings();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private long count;
  private long storage;

  /** The bytes in HDFS before any file was written. */
  private final long empty;

  /**
   * Starts to sample.
   *
   * @param empty the bytes in HDFS without any files, see {@link #used}
   */
  public ClusterMeter(LocalCluster cluster, long empty, Clock clock) {
    this.cluster = cluster;
    this.empty = empty;
    this.clock = clock;
    cluster.nodes().stream().map(NodeInfo::name).forEach(nodes::add);
    nodes.add(cluster.master().name());
    cluster.outside().map(NodeInfo::name).ifPresent(nodes::add);
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::read, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Samples once. An exception would stop the timer. */
  private synchronized void read() {
    try {
      if (count++ % STORAGE_EVERY == 0) {
        storage = used(cluster);
      }
      readings.add(clock.instant(), sent(), storage);
    } catch (IOException e) {
      readings.failed(e);
    } catch (RuntimeException e) {
      readings.failed(new IOException("Cannot read counters", e));
    }
  }

  private long sent() throws IOException {
    long sum = 0;
    for (String node : nodes) {
      sum += cluster.traffic(node).sent();
    }
    return sum;
  }

  /**
   * Returns the bytes of all replicas in HDFS, as DataNodes have reported them.
   *
   * @throws IOException if the NameNode does not report them
   */
  public static long used(LocalCluster cluster) throws IOException {
    JsonNode used =
        cluster
            .jmx("namenode", "Hadoop:service=NameNode,name=FSNamesystemState")
            .path(0)
            .path("CapacityUsed");
    if (!used.isNumber()) {
      throw new IOException("The NameNode does not report its CapacityUsed");
    }
    return used.asLong();
  }

  /**
   * Returns the bytes of all replicas in HDFS once all DataNodes have reported their removals: the
   * base without any files of a run.
   *
   * @throws IOException if the NameNode does not report them, or the value is still changing after
   *     a minute
   */
  public static long usedWhenIdle(LocalCluster cluster) throws IOException, InterruptedException {
    long before = used(cluster);
    for (int i = 0; i < MAX_CHECKS; i++) {
      TimeUnit.MILLISECONDS.sleep(CHECK_MILLIS);
      long now = used(cluster);
      if (now == before) {
        return now;
      }
      before = now;
    }
    throw new IOException("The bytes in HDFS keep changing although no run is active");
  }

  /**
   * Returns the use from a moment until now. Before that moment, files of an earlier run may have
   * existed.
   *
   * @throws IOException if counters could not be read, or the NameNode does not report its use
   */
  public synchronized RunUsage since(Instant begin) throws IOException {
    return new RunUsage(
        sent() - readings.sentAt(begin),
        Math.max(used(cluster), readings.peakStorageSince(begin)) - empty);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

package dev.weir.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.bench.series.RunUsage;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.NodeInfo;
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
 * Reads the counters of all links and what HDFS holds, again and again, so that afterwards one can
 * say how much there was between two moments: a run's first task comes long after its containers
 * have fetched what they start with.
 */
public final class ClusterMeter implements AutoCloseable {
  private static final long PERIOD_MILLIS = 100;

  /** The NameNode hears from its DataNodes once a second. */
  private static final int STORAGE_EVERY = 5;

  /** In which each DataNode has told twice what it holds. */
  private static final long HEARTBEATS_MILLIS = 2_500;

  private static final int MOST_HEARTBEATS = 24;

  private final LocalCluster cluster;
  private final Clock clock;
  private final List<String> nodes = new ArrayList<>();
  private final CounterReadings readings = new CounterReadings();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private long count;
  private long storage;

  /** What HDFS held before anybody wrote a file. */
  private final long empty;

  /**
   * Begins to read.
   *
   * @param empty what HDFS holds without any files, see {@link #used}
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

  /** An exception would end the timer, and nothing would be read any more. */
  private synchronized void read() {
    try {
      if (count++ % STORAGE_EVERY == 0) {
        storage = used(cluster);
      }
      readings.add(clock.instant(), sent(), storage);
    } catch (IOException e) {
      readings.failed(e);
    } catch (RuntimeException e) {
      readings.failed(new IOException("Counters cannot be read", e));
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
   * Bytes of all replicas in HDFS, as far as DataNodes have told.
   *
   * @throws IOException when the NameNode does not tell
   */
  public static long used(LocalCluster cluster) throws IOException {
    JsonNode used =
        cluster
            .jmx("namenode", "Hadoop:service=NameNode,name=FSNamesystemState")
            .path(0)
            .path("CapacityUsed");
    if (!used.isNumber()) {
      throw new IOException("The NameNode does not tell its CapacityUsed");
    }
    return used.asLong();
  }

  /**
   * Bytes of all replicas in HDFS once all DataNodes have told what they removed: what there is
   * without any files of a run.
   *
   * @throws IOException when the NameNode does not tell, or it goes on changing for a minute
   */
  public static long usedAtRest(LocalCluster cluster) throws IOException, InterruptedException {
    long before = used(cluster);
    for (int i = 0; i < MOST_HEARTBEATS; i++) {
      TimeUnit.MILLISECONDS.sleep(HEARTBEATS_MILLIS);
      long now = used(cluster);
      if (now == before) {
        return now;
      }
      before = now;
    }
    throw new IOException("What HDFS holds goes on changing although nothing runs");
  }

  /**
   * What was used from a moment until now; before it what an earlier run left may still be there.
   *
   * @throws IOException when counters could not be read, or the NameNode does not tell
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

package dev.weir.bench.series;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads the counters of all links and what HDFS holds, again and again, so that afterwards one can
 * say how much there was between two moments: a run's first task comes long after its containers
 * have fetched what they start with.
 */
public final class Meter implements AutoCloseable {
  private static final long PERIOD_MILLIS = 100;

  /** The NameNode hears from its DataNodes once a second. */
  private static final int STORAGE_EVERY = 5;

  private final LocalCluster cluster;
  private final Clock clock;
  private final List<String> nodes = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private @Nullable IOException failure;
  private long storage;

  /** What HDFS held before anybody wrote a file. */
  private final long empty;

  /**
   * What was read.
   *
   * @param sent bytes that all nodes together had sent
   * @param storage bytes of all replicas in HDFS
   */
  private record Reading(Instant time, long sent, long storage) {}

  /**
   * Begins to read.
   *
   * @param empty what HDFS holds without any files, see {@link #used}
   */
  public Meter(LocalCluster cluster, long empty, Clock clock) {
    this.cluster = cluster;
    this.empty = empty;
    this.clock = clock;
    cluster.nodes().stream().map(NodeInfo::name).forEach(nodes::add);
    nodes.add(cluster.master().name());
    cluster.outside().map(NodeInfo::name).ifPresent(nodes::add);
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::read, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void read() {
    try {
      if (readings.size() % STORAGE_EVERY == 0) {
        storage = used(cluster);
      }
      readings.add(new Reading(clock.instant(), sent(), storage));
    } catch (IOException e) {
      failure = e;
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
   * Bytes of all replicas in HDFS.
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
   * What was used from a moment until now; before it what an earlier run left may still be there.
   *
   * @throws IOException when counters could not be read, or the NameNode does not tell
   */
  public synchronized Usage since(Instant begin) throws IOException {
    return new Usage(sentSince(begin), peakStorage(begin) - empty);
  }

  private long sentSince(Instant begin) throws IOException {
    if (failure != null) {
      throw failure;
    }
    long before = 0;
    for (Reading reading : readings) {
      if (before == 0 || !reading.time().isAfter(begin)) {
        before = reading.sent();
      }
    }
    return sent() - before;
  }

  private long peakStorage(Instant begin) throws IOException {
    return readings.stream()
        .filter(reading -> !reading.time().isBefore(begin))
        .mapToLong(Reading::storage)
        .reduce(used(cluster), Math::max);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

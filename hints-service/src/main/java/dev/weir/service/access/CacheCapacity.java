package dev.weir.service.access;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether any DataNode of the default file system has memory to cache files in. The NameNode is
 * asked once a minute at most, and not before somebody wants to know. For any thread.
 */
public final class CacheCapacity {
  /** What is to be said when none has, and what to do about it, for people. */
  public static final String NONE =
      "hints want files cached, and no DataNode has memory for it: set"
          + " dfs.datanode.max.locked.memory above 0 on the DataNodes, within their ulimit -l";

  private static final Logger LOG = LoggerFactory.getLogger(CacheCapacity.class);
  private static final Duration MOST_AGE = Duration.ofMinutes(1);

  private final CallerFileSystems callers;
  private final Clock clock;
  private volatile @Nullable Known known;

  /** Asks as the service itself. */
  public CacheCapacity(CallerFileSystems callers, Clock clock) {
    this.callers = callers;
    this.clock = clock;
  }

  /** {@link #NONE} when none has; empty when one has or that cannot be told. */
  public Optional<String> warning() {
    Known last = known;
    Instant now = clock.instant();
    if (last == null || now.isAfter(last.since().plus(MOST_AGE))) {
      last = new Known(isNone(), now);
      known = last;
    }
    return last.none() ? Optional.of(NONE) : Optional.empty();
  }

  private boolean isNone() {
    try {
      return callers.ask(
          callers.self(),
          files -> files instanceof DistributedFileSystem hdfs && capacity(hdfs) == 0);
    } catch (IOException | RuntimeException e) {
      // Only a superuser is told; a hint is written all the same.
      LOG.debug("Whether DataNodes have memory to cache in cannot be told", e);
      return false;
    }
  }

  /** How many bytes the DataNodes that are alive may cache, in all; for superusers of HDFS. */
  public static long capacity(DistributedFileSystem hdfs) throws IOException {
    long capacity = 0;
    for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
      capacity += node.getCacheCapacity();
    }
    return capacity;
  }

  /**
   * @param none whether no DataNode had any
   * @param since when that was asked
   */
  private record Known(boolean none, Instant since) {}
}

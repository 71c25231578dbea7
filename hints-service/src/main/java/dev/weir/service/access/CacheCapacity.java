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
 * Whether any DataNode of the default file system has memory for HDFS's cache. The NameNode is
 * called at most once a minute, and only on demand. Thread-safe.
 */
public final class CacheCapacity {
  /** The message for users when no DataNode has memory, with the remedy. */
  public static final String NONE =
      "hints ask for cached files, and no DataNode has memory for it: set"
          + " dfs.datanode.max.locked.memory above 0 on the DataNodes, within their ulimit -l";

  private static final Logger LOG = LoggerFactory.getLogger(CacheCapacity.class);
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  private final CallerFileSystems callers;
  private final Clock clock;
  private volatile @Nullable CachedAnswer cached;

  /** Creates a check that acts as the service itself. */
  public CacheCapacity(CallerFileSystems callers, Clock clock) {
    this.callers = callers;
    this.clock = clock;
  }

  /** Returns {@link #NONE} if no DataNode has memory; empty if one has or if that is not known. */
  public Optional<String> warning() {
    CachedAnswer answer = cached;
    Instant now = clock.instant();
    if (answer == null || now.isAfter(answer.since().plus(MAX_AGE))) {
      answer = new CachedAnswer(isNone(), now);
      cached = answer;
    }
    return answer.none() ? Optional.of(NONE) : Optional.empty();
  }

  private boolean isNone() {
    try {
      return callers.call(
          callers.self(),
          files -> files instanceof DistributedFileSystem hdfs && capacity(hdfs) == 0);
    } catch (IOException | RuntimeException e) {
      // Only a superuser gets the answer; the hint is written anyway.
      LOG.debug("The cache capacity of the DataNodes is not known", e);
      return false;
    }
  }

  /** Returns the total cache capacity of the live DataNodes in bytes. Needs a superuser of HDFS. */
  public static long capacity(DistributedFileSystem hdfs) throws IOException {
    long capacity = 0;
    for (DatanodeInfo node : hdfs.getDataNodeStats(DatanodeReportType.LIVE)) {
      capacity += node.getCacheCapacity();
    }
    return capacity;
  }

  /**
   * The last answer.
   *
   * @param none whether no DataNode had cache capacity
   * @param since the time of the answer
   */
  private record CachedAnswer(boolean none, Instant since) {}
}

package dev.weir.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.junit.jupiter.api.Test;

class CacheCapacityTest {
  private final MutableClock clock = new MutableClock(Instant.EPOCH);

  @Test
  void warnsWithoutCacheCapacity() {
    HdfsWithCacheCapacity hdfs = new HdfsWithCacheCapacity(new NoHdfs(), 0);
    assertThat(new CacheCapacity(hdfs, clock).warning())
        .hasValueSatisfying(text -> assertThat(text).contains("dfs.datanode.max.locked.memory"));
    assertThat(new CacheCapacity(new HdfsWithCacheCapacity(new NoHdfs(), 1), clock).warning())
        .isEmpty();
  }

  @Test
  void readsCapacityOncePerMinute() {
    HdfsWithCacheCapacity hdfs = new HdfsWithCacheCapacity(new NoHdfs(), 0);
    CacheCapacity memory = new CacheCapacity(hdfs, clock);
    assertThat(memory.warning()).isPresent();
    hdfs.bytes(1);
    assertThat(memory.warning()).isPresent();
    assertThat(hdfs.calls()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(61));
    assertThat(memory.warning()).isEmpty();
  }

  @Test
  void doesNotWarnIfCapacityIsUnknown() {
    HdfsWithCacheCapacity hdfs = new HdfsWithCacheCapacity(new NoHdfs(), 0);
    hdfs.secret();
    assertThat(new CacheCapacity(hdfs, clock).warning()).isEmpty();
    assertThat(new CacheCapacity(new NoHdfs(), clock).warning()).as("no HDFS").isEmpty();
  }

  /** Calls the local file system. */
  private static final class NoHdfs implements CallerFileSystems {
    @Override
    public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
        throws IOException {
      return operation.apply(FileSystem.getLocal(new Configuration(false)));
    }

    @Override
    public String self() {
      return "service";
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}

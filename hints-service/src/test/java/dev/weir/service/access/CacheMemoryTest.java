package dev.weir.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

class CacheMemoryTest {
  private Instant now = Instant.EPOCH;
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };

  @Test
  void warnsWhereNoDataNodeHasAny() {
    HdfsWithMemory hdfs = new HdfsWithMemory(new Nobody(), 0);
    assertThat(new CacheMemory(hdfs, clock).warning())
        .hasValueSatisfying(text -> assertThat(text).contains("dfs.datanode.max.locked.memory"));
    assertThat(new CacheMemory(new HdfsWithMemory(new Nobody(), 1), clock).warning()).isEmpty();
  }

  @Test
  void asksOnceAMinute() {
    HdfsWithMemory hdfs = new HdfsWithMemory(new Nobody(), 0);
    CacheMemory memory = new CacheMemory(hdfs, clock);
    assertThat(memory.warning()).isPresent();
    hdfs.bytes(1);
    assertThat(memory.warning()).isPresent();
    assertThat(hdfs.asked()).isEqualTo(1);
    now = now.plus(Duration.ofSeconds(61));
    assertThat(memory.warning()).isEmpty();
  }

  @Test
  void saysNothingWhereItCannotBeTold() {
    HdfsWithMemory hdfs = new HdfsWithMemory(new Nobody(), 0);
    hdfs.secret();
    assertThat(new CacheMemory(hdfs, clock).warning()).isEmpty();
    assertThat(new CacheMemory(new Nobody(), clock).warning()).as("no HDFS").isEmpty();
  }

  /** Asks the local file system. */
  private static final class Nobody implements Callers {
    @Override
    public <T> T ask(String user, String authority, Question<T> question) throws IOException {
      return question.of(FileSystem.getLocal(new Configuration(false)));
    }

    @Override
    public String self() {
      return "nobody";
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}

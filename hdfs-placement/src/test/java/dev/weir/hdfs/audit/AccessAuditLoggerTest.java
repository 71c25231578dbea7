package dev.weir.hdfs.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.placement.StableHash;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessAuditLoggerTest {
  private static final int PATHS = 1000;

  private final AccessAuditLogger logger = new AccessAuditLogger();
  private final AccessCounter counter = new AccessCounter(PATHS, Duration.ofDays(1), () -> 0);

  @Test
  void aStuckDrainerOnlyDrops() {
    logger.count(counter);
    for (int i = 0; i < 3 * AccessCounter.CAPACITY; i++) {
      log("open", "/a/" + i, null);
    }
    assertThat(counter.dropped()).isEqualTo(2 * AccessCounter.CAPACITY);
    counter.count();
    assertThat(counter.counted()).isEqualTo(AccessCounter.CAPACITY);
  }

  @Test
  void doesNothingWithABrokenConfiguration() {
    for (String value : new String[] {"soon", "0", "-1d", "99999999999999999999d"}) {
      AccessAuditLogger broken = new AccessAuditLogger();
      Configuration configuration = new Configuration(false);
      configuration.set(AccessAuditLogger.HALF_LIFE_KEY, value);
      broken.initialize(configuration);
      broken.logAuditEvent(
          true, "alice", InetAddress.getLoopbackAddress(), "open", "/a", null, null);
    }
  }

  @Test
  void doesNothingBeforeItIsInitialized() {
    log("open", "/a", null);
    assertThat(counter.paths()).isZero();
  }

  @Test
  void ignoresIncompleteEvents() {
    logger.count(counter);
    logger.logAuditEvent(true, null, null, null, null, null, null, null, null, null);
    logger.logAuditEvent(true, null, null, "open", null, null, null, null, null, null);
    logger.logAuditEvent(false, null, null, "open", "/a", null, null, null, null, null);
    counter.count();
    assertThat(counter.counted()).isZero();
  }

  @Test
  void aMillionPathsKeepTheMemoryBounded() {
    logger.count(counter);
    for (int i = 0; i < 1_000_000; i++) {
      log("open", "/a/" + i, null);
      if (i % AccessCounter.CAPACITY == AccessCounter.CAPACITY - 1) {
        counter.count();
      }
    }
    counter.count();
    assertThat(counter.counted()).isEqualTo(1_000_000);
    assertThat(counter.paths()).isEqualTo(PATHS);
    assertThat(counter.lines()).hasSize(PATHS);
    assertThat(counter.error()).isLessThanOrEqualTo(1_000_000 / PATHS);
  }

  @Test
  void countsOpensAndWritesOfOthersThanTheService() {
    logger.count(counter);
    log("open", "/a", null);
    log("open", "/a", new CallerContext.Builder("spark").build());
    log("open", "/a", new CallerContext.Builder(AccessAuditLogger.UNCOUNTED).build());
    log("create", "/a", null);
    log("listStatus", "/a", null);
    counter.count();
    assertThat(counter.lines())
        .containsExactly(
            String.format(Locale.ROOT, "%016x 2.000 1.000 0.000", StableHash.of("/a")));
  }

  private void log(String command, String path, @Nullable CallerContext context) {
    logger.logAuditEvent(
        true,
        "alice",
        InetAddress.getLoopbackAddress(),
        command,
        path,
        null,
        null,
        context,
        null,
        null);
  }
}

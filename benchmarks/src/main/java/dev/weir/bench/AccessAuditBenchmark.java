package dev.weir.bench;

import dev.weir.hdfs.audit.AccessAuditLogger;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time that counting an access takes from a call to the NameNode. {@link #open} calls as fast
 * as it can, so most accesses are dropped; those of {@link #counted} are counted.
 *
 * <pre>benchmarks/run AccessAuditBenchmark -t 2 -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AccessAuditBenchmark {
  private static final int PATHS = 1 << 14;
  private static final int BURST = 256;

  private final AccessAuditLogger logger = new AccessAuditLogger();
  private final String[] paths = new String[PATHS];
  private final InetAddress address = InetAddress.getLoopbackAddress();

  /** The position of one thread. */
  @State(Scope.Thread)
  public static class Position {
    private int next;

    String path(String[] paths) {
      return paths[next++ & (PATHS - 1)];
    }
  }

  /** Waits before each burst, so that the counting thread empties the buffer. */
  @State(Scope.Thread)
  public static class Drained {
    /** Waits. */
    @Setup(Level.Invocation)
    public void pause() {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Starts the logger. */
  @Setup(Level.Trial)
  public void prepare() {
    for (int i = 0; i < PATHS; i++) {
      paths[i] = "/user/alice/warehouse/table-" + i % 100 + "/part-" + i + ".parquet";
    }
    logger.initialize(new Configuration(false));
  }

  /** An open, as fast as possible. */
  @Benchmark
  public void open(Position position) {
    log("open", position);
  }

  /** A call that is not counted. */
  @Benchmark
  public void listing(Position position) {
    log("listStatus", position);
  }

  /** Opens that are counted: fewer than the buffer holds, after it was drained. */
  @Benchmark
  @OperationsPerInvocation(BURST)
  public void counted(Position position, Drained drained) {
    for (int i = 0; i < BURST; i++) {
      log("open", position);
    }
  }

  private void log(String command, Position position) {
    logger.logAuditEvent(
        true, "alice", address, command, position.path(paths), null, null, null, null, null);
  }
}

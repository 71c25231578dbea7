package dev.weir.hdfs.gather;

import static dev.weir.hdfs.gather.GatherCluster.REGION;
import static dev.weir.hdfs.gather.GatherCluster.bytes;
import static dev.weir.hdfs.gather.GatherCluster.region;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Writers that fail and retry, concurrent commits, and concurrent readers. */
class GatherRacesTest {
  private static final int ROUNDS = Integer.getInteger("weir.gather.rounds", 6);
  private static final Path DIRECTORY = new Path("/races");

  private static GatherCluster cluster;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void start() throws Exception {
    cluster = new GatherCluster();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void readersSeeTheOldOrTheNewFile() throws Exception {
    Path target = new Path(DIRECTORY, "read");
    byte[][] versions = new byte[ROUNDS][];
    for (int round = 0; round < ROUNDS; round++) {
      versions[round] = bytes(1 + (round + 1) * REGION, round);
    }
    AtomicBoolean done = new AtomicBoolean();
    Future<Integer> seen = threads.submit(() -> poll(target, versions, done));
    try {
      for (byte[] version : versions) {
        gather(target, version).commit(CommitOptions.PLAIN.replacing());
      }
    } finally {
      done.set(true);
    }
    assertThat(seen.get()).as("reads of an existing file").isPositive();
    threads.shutdown();
  }

  private static int poll(Path target, byte[][] versions, AtomicBoolean done) throws IOException {
    int seen = 0;
    int oldest = 0;
    while (!done.get() || seen == 0) {
      try {
        long length = cluster.fs().getFileStatus(target).getLen();
        int version = Math.toIntExact(length / REGION) - 1;
        assertThat(length).isEqualTo(versions[version].length);
        assertThat(version).isGreaterThanOrEqualTo(oldest);
        oldest = version;
        seen++;
      } catch (FileNotFoundException e) {
        assertThat(seen).as("reads before the file existed").isZero();
      }
    }
    return seen;
  }

  @Test
  void concurrentCommitsReturnTheSame() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] file = bytes(3 * REGION + round, round);
      Gather gather = gather(new Path(DIRECTORY, "commits-" + round), file);
      List<Callable<CommittedGather>> tryCommit = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        tryCommit.add(() -> cluster.gathers().open(gather.path()).commit(CommitOptions.PLAIN));
      }
      int first = 0;
      for (Future<CommittedGather> commit : threads.invokeAll(tryCommit)) {
        assertThat(commit.get().bytes()).isEqualTo(file.length);
        first += commit.get().wasBefore() ? 0 : 1;
      }
      assertThat(first).as("round %d", round).isEqualTo(1);
      assertThat(cluster.read(gather.target())).isEqualTo(file);
      assertThat(cluster.fs().exists(gather.path())).isFalse();
    }
    threads.shutdown();
  }

  @Test
  void aConcurrentAbortAndCommitLeaveTheFileOrNothing() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] file = bytes(2 * REGION, round);
      Gather gather = gather(new Path(DIRECTORY, "aborted-" + round), file);
      Future<Boolean> commit = threads.submit(() -> tryCommit(gather));
      gather.abort();
      assertThat(cluster.fs().exists(gather.target())).isEqualTo(commit.get());
      assertThat(cluster.fs().exists(gather.path())).isFalse();
      if (commit.get()) {
        assertThat(cluster.read(gather.target())).isEqualTo(file);
      }
    }
    threads.shutdown();
  }

  private static boolean tryCommit(Gather gather) throws IOException {
    try {
      gather.commit(CommitOptions.PLAIN);
      return true;
    } catch (GatherException e) {
      assertThat(e.problem()).isEqualTo(Problem.NO_SUCH_GATHER);
      return false;
    }
  }

  @Test
  void writersThatFailAndRetryCompleteTheFile() throws Exception {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      int regions = 1 + random.nextInt(6);
      byte[] file = bytes(random.nextInt(regions * REGION + 1), seed);
      Path target = new Path(DIRECTORY, "random-" + seed);
      Gather gather =
          cluster.gathers().begin(target, GatherSpec.ofRegions(REGION).withRegions(regions));
      AtomicInteger[] wins = new AtomicInteger[regions];
      List<Callable<Void>> writers = new ArrayList<>();
      for (int region = 0; region < regions; region++) {
        wins[region] = new AtomicInteger();
        for (int i = random.nextInt(3); i >= 0; i--) {
          int number = region;
          long writersSeed = random.nextLong();
          writers.add(
              () -> {
                if (writeWithFailures(gather, number, file, new Random(writersSeed))) {
                  wins[number].incrementAndGet();
                }
                return null;
              });
        }
      }
      Future<Void> committer = threads.submit(() -> commitWhenComplete(gather));
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
      committer.get();
      assertThat(cluster.read(target)).as("seed %d", seed).isEqualTo(file);
      assertThat(cluster.fs().exists(gather.path())).as("seed %d", seed).isFalse();
      for (AtomicInteger region : wins) {
        assertThat(region).as("seed %d: attempts that became the region", seed).hasValue(1);
      }
    }
    threads.shutdown();
  }

  private static Void commitWhenComplete(Gather gather) throws IOException {
    while (true) {
      try {
        gather.commit(CommitOptions.PLAIN);
        return null;
      } catch (GatherException e) {
        assertThat(e.problem()).as(e.getMessage()).isEqualTo(Problem.INCOMPLETE);
        assertThat(cluster.fs().exists(gather.target())).isFalse();
      }
    }
  }

  /** Abandons up to two attempts, then writes the region; returns whether that attempt counts. */
  private static boolean writeWithFailures(Gather gather, int region, byte[] file, Random random)
      throws IOException {
    byte[] content = region(file, region);
    try {
      for (int failures = random.nextInt(3); failures > 0; failures--) {
        try (RegionOutputStream out = gather.write(region)) {
          out.write(content, 0, random.nextInt(content.length + 1));
        }
      }
      try (RegionOutputStream out = gather.write(region)) {
        out.write(content);
        return out.finish();
      }
    } catch (GatherException e) {
      assertThat(e.problem()).as(e.getMessage()).isEqualTo(Problem.COMPLETE);
      return false;
    }
  }

  private static Gather gather(Path target, byte[] file) throws IOException {
    int regions = file.length / REGION + 1;
    Gather gather =
        cluster.gathers().begin(target, GatherSpec.ofRegions(REGION).withRegions(regions));
    for (int region = 0; region < regions; region++) {
      gather.write(region, new java.io.ByteArrayInputStream(region(file, region)));
    }
    return gather;
  }
}

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

/**
 * Many writers that fail, repeat and overtake each other, many commits, and who reads meanwhile.
 */
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
  void aReaderSeesTheOldFileOrTheNewOneAndNothingElse() throws Exception {
    Path target = new Path(DIRECTORY, "read");
    byte[][] versions = new byte[ROUNDS][];
    for (int round = 0; round < ROUNDS; round++) {
      versions[round] = bytes(1 + (round + 1) * REGION, round);
    }
    AtomicBoolean isOver = new AtomicBoolean();
    Future<Integer> seen = threads.submit(() -> poll(target, versions, isOver));
    try {
      for (byte[] version : versions) {
        gather(target, version).commit(CommitOptions.PLAIN.replacing());
      }
    } finally {
      isOver.set(true);
    }
    assertThat(seen.get()).as("looks at a file that was there").isPositive();
    threads.shutdown();
  }

  private static int poll(Path target, byte[][] versions, AtomicBoolean isOver) throws IOException {
    int seen = 0;
    int oldest = 0;
    while (!isOver.get() || seen == 0) {
      try {
        long length = cluster.fs().getFileStatus(target).getLen();
        int version = Math.toIntExact(length / REGION) - 1;
        assertThat(length).isEqualTo(versions[version].length);
        assertThat(version).isGreaterThanOrEqualTo(oldest);
        oldest = version;
        seen++;
      } catch (FileNotFoundException e) {
        assertThat(seen).as("a file that is being replaced is always there").isZero();
      }
    }
    return seen;
  }

  @Test
  void commitsAtOnceAllSayTheSame() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] file = bytes(3 * REGION + round, round);
      Gather gather = gather(new Path(DIRECTORY, "commits-" + round), file);
      List<Callable<CommittedGather>> commits = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        commits.add(() -> cluster.gathers().open(gather.path()).commit(CommitOptions.PLAIN));
      }
      int first = 0;
      for (Future<CommittedGather> commit : threads.invokeAll(commits)) {
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
  void anAbortAndACommitAtOnceLeaveTheFileOrNothing() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] file = bytes(2 * REGION, round);
      Gather gather = gather(new Path(DIRECTORY, "aborted-" + round), file);
      Future<Boolean> commit = threads.submit(() -> commits(gather));
      gather.abort();
      assertThat(cluster.fs().exists(gather.target())).isEqualTo(commit.get());
      assertThat(cluster.fs().exists(gather.path())).isFalse();
      if (commit.get()) {
        assertThat(cluster.read(gather.target())).isEqualTo(file);
      }
    }
    threads.shutdown();
  }

  private static boolean commits(Gather gather) throws IOException {
    try {
      gather.commit(CommitOptions.PLAIN);
      return true;
    } catch (GatherException e) {
      assertThat(e.problem()).isEqualTo(Problem.NO_SUCH_GATHER);
      return false;
    }
  }

  @Test
  void writersThatFailAndRepeatMakeTheFile() throws Exception {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      int regions = 1 + random.nextInt(6);
      byte[] file = bytes(random.nextInt(regions * REGION + 1), seed);
      Path target = new Path(DIRECTORY, "random-" + seed);
      Gather gather =
          cluster.gathers().begin(target, GatherSpec.ofRegions(REGION).withRegions(regions));
      AtomicInteger[] counting = new AtomicInteger[regions];
      List<Callable<Void>> writers = new ArrayList<>();
      for (int region = 0; region < regions; region++) {
        counting[region] = new AtomicInteger();
        for (int i = random.nextInt(3); i >= 0; i--) {
          int number = region;
          long writersSeed = random.nextLong();
          writers.add(
              () -> {
                if (writes(gather, number, file, new Random(writersSeed))) {
                  counting[number].incrementAndGet();
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
      for (AtomicInteger region : counting) {
        assertThat(region).as("seed %d: attempts that say that they count", seed).hasValue(1);
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

  /** Fails some times at some place, and then writes the region; whether that counts. */
  private static boolean writes(Gather gather, int region, byte[] file, Random random)
      throws IOException {
    byte[] mine = region(file, region);
    try {
      for (int failures = random.nextInt(3); failures > 0; failures--) {
        try (RegionOutputStream out = gather.write(region)) {
          out.write(mine, 0, random.nextInt(mine.length + 1));
        }
      }
      try (RegionOutputStream out = gather.write(region)) {
        out.write(mine);
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

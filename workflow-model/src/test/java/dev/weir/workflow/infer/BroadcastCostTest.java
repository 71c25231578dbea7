package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.infer.BroadcastCost.Files;
import dev.weir.workflow.infer.BroadcastCost.Readers;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BroadcastCostTest {

  private static final Offset<Double> EXACT = Offset.offset(1e-9);
  private static final double HOP = BroadcastCost.HOP_SECONDS;
  private static final double FETCH = BroadcastCost.FETCH_SECONDS;

  /** Links so slow that fixed costs decide only ties. Nodes cache no files. */
  private static final FetchModel SLOW = new FetchModel(1, false);

  private static final FetchModel KEPT = new FetchModel(1, true);

  /** 10 Mbit/s, 100 Mbit/s and 1 Gbit/s. */
  private static final long[] RATES = {1_250_000, 12_500_000, 125_000_000};

  /** Returns the cost of m files from m nodes. */
  private static BroadcastCost fromEverywhere(int nodes, double readers, int filesPerTask) {
    return fromEverywhere(nodes, readers, filesPerTask, SLOW);
  }

  private static BroadcastCost fromEverywhere(
      int nodes, double readers, int filesPerTask, FetchModel fetching) {
    int files = 50;
    return new BroadcastCost(
        nodes,
        new Files(files, 10, files),
        new Readers(readers, (int) (files * readers / filesPerTask), filesPerTask),
        fetching);
  }

  private static BroadcastCost oneFile(int nodes, double bytes, int readers) {
    return oneFile(nodes, bytes, readers, SLOW);
  }

  private static BroadcastCost oneFile(int nodes, double bytes, int readers, FetchModel fetching) {
    return new BroadcastCost(
        nodes, new Files(1, bytes, 1), new Readers(readers, readers, 1), fetching);
  }

  /** The table of the design: S/R to broadcast, (n-1)/n of k·S/R when all read from one node. */
  @Test
  void oneFileReadEverywhere() {
    BroadcastCost cost = oneFile(6, 100, 6);

    assertThat(cost.seconds(1)).isEqualTo(500 + FETCH * 5 / 6, EXACT);
    assertThat(cost.seconds(3))
        .as("S to write, then (n-r)/r to read")
        .isEqualTo(200 + 2 * HOP + FETCH / 2, EXACT);
    assertThat(cost.seconds(6)).isEqualTo(100 + 5 * HOP, EXACT);
    assertThat(cost.best(6)).isEqualTo(6);
    assertThat(cost.best(4)).as("bounded").isEqualTo(4);
  }

  /** One copy per reader, for the sizes and link rates of the broadcast experiment. */
  @Test
  void largeFilesAreCopiedToAllReaders() {
    for (long rate : RATES) {
      for (double seconds : new double[] {0.08, 0.8, 8}) {
        assertThat(oneFile(19, seconds * rate, 19, new FetchModel(rate, true)).best(20))
            .as("%s s at %d bytes/s", seconds, rate)
            .isEqualTo(19);
      }
    }
  }

  /** A further copy costs a hop, which takes longer than sending a few kilobytes. */
  @Test
  void tablesOfKilobytesAreNotCopied() {
    for (double bytes : new double[] {1, 300, 4_000, 16_000}) {
      assertThat(oneFile(6, bytes, 100, FetchModel.USUAL).best(6)).as("%s B", bytes).isEqualTo(1);
      assertThat(oneFile(19, bytes, 19, FetchModel.USUAL).best(19)).as("%s B", bytes).isEqualTo(1);
    }
  }

  /**
   * For 1 kB at 10 Mbit/s the model predicts that four copies save 8 ms; they cost more when
   * measured.
   */
  @Test
  void noCopiesToSaveAFewMilliseconds() {
    BroadcastCost cost = oneFile(19, 1_000, 19, new FetchModel(1_250_000, false));

    assertThat(cost.seconds(1) - cost.seconds(4))
        .isBetween(0.001, BroadcastCost.LEAST_GAIN_SECONDS);
    assertThat(cost.best(19)).isEqualTo(1);
    assertThat(oneFile(19, 2_000, 19, new FetchModel(1_250_000, false)).best(19)).isGreaterThan(1);
  }

  @Test
  void slowerLinksGetMoreCopies() {
    int[] copies = new int[RATES.length];
    for (int i = 0; i < RATES.length; i++) {
      copies[i] = oneFile(19, 100_000, 19, new FetchModel(RATES[i], true)).best(19);
    }
    assertThat(copies).containsExactly(19, 13, 1);
  }

  /** The first reader on a node caches the file for the others. */
  @Test
  void cachingNodesFetchAFileOnce() {
    assertThat(oneFile(6, 100, 40, SLOW).seconds(1)).isEqualTo(40 * 500 / 6.0 + FETCH, EXACT);
    assertThat(oneFile(6, 100, 40, KEPT).seconds(1))
        .isEqualTo(oneFile(6, 100, 6).seconds(1), EXACT);
    for (int copies = 1; copies <= 6; copies++) {
      assertThat(oneFile(6, 100, 5, KEPT).seconds(copies))
          .as("fewer readers than nodes")
          .isEqualTo(oneFile(6, 100, 5, SLOW).seconds(copies), EXACT);
    }
  }

  /** Each file reaches a node once, through a pipeline or by the first task there that reads it. */
  @Test
  void filesFromAllNodesAreNotCopiedIfNodesCacheThem() {
    for (int readers = 1; readers <= 100; readers++) {
      for (int filesPerTask : new int[] {1, 2, 50}) {
        assertThat(fromEverywhere(6, readers, filesPerTask, KEPT).best(6))
            .as("%d readers of %d", readers, filesPerTask)
            .isEqualTo(1);
      }
    }
  }

  @Test
  void noFewerCopiesOfLargerFilesNorOverSlowerLinks() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      BroadcastCost any = any(random);
      int before = 1;
      for (double bytes = 1; bytes < 1e9; bytes *= 3) {
        Files files = new Files(any.files().count(), bytes, any.files().producers());
        int best =
            new BroadcastCost(any.nodes(), files, any.readers(), any.fetching()).best(any.nodes());
        assertThat(best)
            .as("seed %d, %s, %s bytes", seed, any, bytes)
            .isGreaterThanOrEqualTo(before);
        FetchModel slower =
            new FetchModel(
                Math.max(1, any.fetching().bytesPerSecond() / 10), any.fetching().once());
        assertThat(new BroadcastCost(any.nodes(), files, any.readers(), slower).best(any.nodes()))
            .as("seed %d, %s, %s bytes, slower", seed, any, bytes)
            .isGreaterThanOrEqualTo(best);
        before = best;
      }
    }
  }

  /**
   * One of two readers runs where the file is and the other fetches it. A copy would move as many
   * bytes.
   */
  @Test
  void aFileWithTwoReadersIsNotCopied() {
    BroadcastCost cost = oneFile(6, 100, 2);

    assertThat(cost.seconds(1)).isEqualTo(100 + FETCH / 2, EXACT);
    assertThat(cost.seconds(2)).isEqualTo(100 + HOP, EXACT);
    assertThat(cost.best(6)).isEqualTo(1);
  }

  @Test
  void neverMoreCopiesThanReaders() {
    for (int readers = 1; readers <= 30; readers++) {
      for (int nodes = 1; nodes <= 30; nodes++) {
        assertThat(oneFile(nodes, 100, readers).best(nodes))
            .as("%d readers on %d nodes", readers, nodes)
            .isLessThanOrEqualTo(readers);
      }
    }
  }

  /** Every task can run where its file is. */
  @Test
  void tasksThatReadOneFileEachNeedNoCopies() {
    for (int readers = 1; readers <= 40; readers++) {
      BroadcastCost cost = fromEverywhere(6, readers, 1);

      assertThat(cost.seconds(1)).isZero();
      assertThat(cost.best(6)).isEqualTo(1);
    }
  }

  /** Of two files one is where the task is: (f-1)·S + k/2·(1-f/n)·S a file, over n links. */
  @Test
  void manyFilesReadInPairs() {
    BroadcastCost cost = fromEverywhere(5, 8, 2);

    for (int copies = 2; copies <= 5; copies++) {
      double perFile = (copies - 1) * 10 + 8 / 2.0 * (1 - copies / 5.0) * 10;
      double fixed = HOP * (copies - 1) * 50 / 5 + (copies < 5 ? FETCH : 0);
      assertThat(cost.seconds(copies)).isEqualTo(50 * perFile / 5 + fixed, EXACT);
    }
    assertThat(fromEverywhere(6, 13, 2).best(6)).as("more than 2 n readers").isEqualTo(6);
    assertThat(fromEverywhere(6, 12, 2).best(6)).as("a tie moves nothing").isEqualTo(1);
    assertThat(fromEverywhere(6, 8, 2).best(6)).isEqualTo(1);
  }

  /** A task's other files are local only by chance. */
  @Test
  void filesReadTogetherAreCopiedIfReadersOutnumberNodes() {
    assertThat(fromEverywhere(6, 8, 50).best(6)).isEqualTo(6);
    assertThat(fromEverywhere(6, 5, 50).best(6)).isEqualTo(1);
    assertThat(fromEverywhere(19, 8, 50).best(19)).isEqualTo(1);
  }

  @Test
  void emptyFilesAreNotCopied() {
    assertThat(oneFile(6, 0, 100).best(6)).isEqualTo(1);
  }

  @Test
  void neverWorseThanAnyOtherChoice() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      BroadcastCost cost = any(random);
      int best = cost.best(cost.nodes());
      assertThat(best).isBetween(1, cost.nodes());
      for (int copies = 1; copies <= cost.nodes(); copies++) {
        assertThat(cost.seconds(best))
            .as("seed %d, %s", seed, cost)
            .isLessThanOrEqualTo(
                cost.seconds(copies) + (best == 1 ? BroadcastCost.LEAST_GAIN_SECONDS : 0));
        assertThat(cost.seconds(copies))
            .as("seed %d, %s", seed, cost)
            .isGreaterThanOrEqualTo(-1e-6);
      }
    }
  }

  /** Costs do not decrease with more readers, more bytes, or more files per task. */
  @Test
  void costsGrowWithTheBytesRead() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      BroadcastCost cost = any(random);
      int copies = 1 + random.nextInt(cost.nodes());
      Files files = cost.files();
      Readers readers = cost.readers();
      assertThat(
              new BroadcastCost(
                  cost.nodes(),
                  new Files(files.count(), files.bytes() + 1, files.producers()),
                  readers,
                  cost.fetching()))
          .as("more bytes; seed %d, %s", seed, cost)
          .satisfies(
              more ->
                  assertThat(more.seconds(copies)).isGreaterThanOrEqualTo(cost.seconds(copies)));
      assertThat(
              new BroadcastCost(
                  cost.nodes(),
                  files,
                  new Readers(readers.each() * 2, readers.tasks() * 2, readers.filesPerTask()),
                  cost.fetching()))
          .as("more readers; seed %d, %s", seed, cost)
          .satisfies(
              more ->
                  assertThat(more.seconds(copies))
                      .isGreaterThanOrEqualTo(cost.seconds(copies) - 1e-6));
      if (files.producers() >= cost.nodes()) {
        assertThat(
                new BroadcastCost(
                    cost.nodes(),
                    files,
                    new Readers(readers.each(), readers.tasks(), readers.filesPerTask() + 1),
                    cost.fetching()))
            .as("more files a task; seed %d, %s", seed, cost)
            .satisfies(
                more ->
                    assertThat(more.seconds(copies))
                        .isGreaterThanOrEqualTo(cost.seconds(copies) - 1e-6));
      }
    }
  }

  /** Reading without writing gets cheaper with every copy. */
  @Test
  void anotherCopyNeverMakesReadingSlower() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      BroadcastCost cost = any(random);
      BroadcastCost unread =
          new BroadcastCost(
              cost.nodes(),
              cost.files(),
              new Readers(0, cost.readers().tasks(), cost.readers().filesPerTask()),
              cost.fetching());
      double before = Double.MAX_VALUE;
      for (int copies = 1; copies <= cost.nodes(); copies++) {
        double read = cost.seconds(copies) - unread.seconds(copies);
        assertThat(read)
            .as("seed %d, %d copies, %s", seed, copies, cost)
            .isLessThanOrEqualTo(before + 1e-6);
        before = read;
      }
    }
  }

  private static BroadcastCost any(Random random) {
    int files = 1 + random.nextInt(100);
    double readers = random.nextDouble() * 50;
    return new BroadcastCost(
        1 + random.nextInt(40),
        new Files(files, random.nextInt(1_000_000), 1 + random.nextInt(files)),
        new Readers(
            readers,
            (int) Math.ceil(readers) + 1 + random.nextInt(100),
            1 + random.nextDouble() * (files - 1)),
        new FetchModel(1 + random.nextInt(200_000_000), random.nextBoolean()));
  }
}

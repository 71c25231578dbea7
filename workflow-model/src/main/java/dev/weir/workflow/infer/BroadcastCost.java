package dev.weir.workflow.infer;

/**
 * Predicts how long it takes to write files with several replicas and to deliver them to their
 * readers. A pure function of its components.
 *
 * <p>Goals: never predict a choice to be faster than it is; never choose worse than stock HDFS by
 * more than {@link #LEAST_GAIN_SECONDS}; never give a larger file fewer copies than a smaller one,
 * unless nodes keep the larger file for their next task and not the smaller one.
 *
 * <p>Let n nodes have links of R bytes per second. There are m files of S bytes from p producers on
 * different nodes (p at most n). Each file has k readers, and each reader reads d of the files. f
 * is the number of copies.
 *
 * <ul>
 *   <li>With f = 1, writing stays on the writer's disk. With f &gt; 1, each file goes through one
 *       pipeline. A writer sends its m/p files once, and all links together carry (f-1) copies of m
 *       files. So the busiest link takes S/R·max(m/p, m·(f-1)/n). Each further copy of each of a
 *       writer's files adds a {@link #HOP_SECONDS hop}.
 *   <li>The scheduler places a task on a node that holds one of its d files, if there is one. h =
 *       min(n, p·f) nodes hold any of them. The t tasks that read the files keep u = min(n, t)
 *       nodes busy; the fraction 1 - min(h, u)/u of these holds none of them. The other d - 1 files
 *       are local by chance, with probability f/n. So a file is missing where it is read with
 *       probability (1/d)·(1 - min(h, u)/u) + (1 - 1/d)·(1 - f/n).
 *   <li>All m files together are fetched m·k times that probability from the h nodes that hold
 *       them, or m·min(k, n) times it where a node keeps what it has fetched. A {@link
 *       #FETCH_SECONDS fetch} has a fixed cost besides its bytes. All nodes fetch at the same time,
 *       and a task fetches all of its inputs. So the fixed cost counts at most once.
 * </ul>
 *
 * <p>With many files from many nodes, the model compares byte counts. With a single file, it
 * compares the time of one pipeline with that of one uplink. The fixed costs grow with each copy,
 * because a fetch counts as no more than a hop. Hence small files get fewer copies, and larger
 * files never do.
 *
 * @param nodes n, at least 1
 * @param files the files that are written
 */
record BroadcastCost(int nodes, Files files, Readers readers, FetchModel fetching) {

  /**
   * Seconds that a further replica takes, independent of its size. One more DataNode in the
   * pipeline creates a block and reports it. For a file of 1,000 bytes, the two threads of its
   * DataNode took 0.9 ms of processor time (docs/benchmarks-runner.md, "What is left of a task with
   * files").
   */
  static final double HOP_SECONDS = 0.001;

  /**
   * Seconds that a fetch takes, independent of the size. Reading a file of 1,000 bytes took 2.2 ms
   * of processor time of client and servers (measured in the same place). A replica on the reader's
   * node would have taken most of that as well, so a fetch counts as no more than a hop.
   */
  static final double FETCH_SECONDS = HOP_SECONDS;

  /**
   * Seconds that copies must save to be chosen. Below this limit, with files of a few kilobytes,
   * copies were slower overall. A hop takes several times as long in a DataNode that is not warm.
   * The readers all start at once and wait for processors, not for links.
   */
  static final double LEAST_GAIN_SECONDS = 0.01;

  /**
   * A class of similar files.
   *
   * @param count m, at least 1
   * @param bytes S, bytes of a file on average
   * @param producers p, at least 1 and at most one a file
   */
  record Files(int count, double bytes, int producers) {}

  /**
   * The readers of the files.
   *
   * @param each k, readers of a file on average
   * @param tasks t, tasks that read any of them, at least 1
   * @param filesPerTask d, files of the class that such a task reads on average, at least 1
   */
  record Readers(double each, int tasks, double filesPerTask) {}

  /** Returns the seconds for writing and reading with the given number of copies of each file. */
  double seconds(int copies) {
    double writers = Math.min(nodes, files.producers());
    double holders = Math.min(nodes, writers * copies);
    double fetches = files.count() * fetchesPerFile() * missProbability(copies, holders);
    double written =
        copies == 1 ? 0 : Math.max(files.count() / writers, files.count() * (copies - 1.0) / nodes);
    double fixed =
        HOP_SECONDS * (copies - 1) * files.count() / writers
            + FETCH_SECONDS * Math.min(1, fetches / busyNodes());
    return files.bytes() / fetching.bytesPerSecond() * (written + fetches / holders) + fixed;
  }

  private double fetchesPerFile() {
    return fetching.once() ? Math.min(nodes, readers.each()) : readers.each();
  }

  private double busyNodes() {
    return Math.min(nodes, readers.tasks());
  }

  /** Returns the probability that a file is not on the node where it is read. */
  private double missProbability(int copies, double holders) {
    double busyNodes = busyNodes();
    double placedFor = 1 / readers.filesPerTask();
    double missedByChance = Math.max(0, 1 - (double) copies / nodes);
    return placedFor * (1 - Math.min(holders, busyNodes) / busyNodes)
        + (1 - placedFor) * missedByChance;
  }

  /**
   * Returns the fastest number of copies. Of equally fast numbers it is the smallest. It is 1 where
   * more copies save less than {@link #LEAST_GAIN_SECONDS}.
   *
   * @param most the most copies to consider
   */
  int best(int most) {
    int best = 1;
    for (int copies = 2; copies <= Math.min(nodes, most); copies++) {
      if (seconds(copies) < seconds(best)) {
        best = copies;
      }
    }
    return seconds(1) - seconds(best) < LEAST_GAIN_SECONDS ? 1 : best;
  }
}

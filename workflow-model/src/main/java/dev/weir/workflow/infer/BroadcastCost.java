package dev.weir.workflow.infer;

/**
 * How long it takes, as predicted, to write files that many tasks read in several copies, and then
 * to bring them to those tasks. A pure function of the numbers below.
 *
 * <p>Goals: never predict a choice to be faster than it is, never choose worse than stock by more
 * than {@link #LEAST_GAIN_SECONDS}, and no fewer copies of a larger file, unless nodes keep that
 * for their next task and the smaller not.
 *
 * <p>With n nodes whose links carry R bytes a second, m files of S bytes from p producers on
 * different nodes, k readers a file, of which each reads d files of the class, and f copies, where
 * p counts at most n:
 *
 * <ul>
 *   <li>Writing with f = 1 stays on the writer's disk. With f &gt; 1 each file goes through one
 *       pipeline: a writer sends its m/p files once, and all links together carry (f-1) copies of m
 *       files, so the busiest takes S/R·max(m/p, m·(f-1)/n). Each further copy of each of a
 *       writer's files is a {@link #HOP_SECONDS hop} besides.
 *   <li>A task is given to a node that holds one of its d files, where there is one: h = min(n,
 *       p·f) nodes hold any. The t tasks that read them keep u = min(n, t) nodes busy, of which 1 -
 *       min(h, u)/u have to do without. The other d - 1 files are there by chance, f of n times. So
 *       a file is missing where it is read with the probability (1/d)·(1 - min(h, u)/u) + (1 -
 *       1/d)·(1 - f/n).
 *   <li>All m files together are fetched m·k times that often, from the h nodes that hold them; m·
 *       min(k, n) times where a node keeps what it has fetched. A {@link #FETCH_SECONDS fetch}
 *       takes something beside its bytes. All nodes fetch at the same time, and a task all of its
 *       inputs, so that it counts once, or as far as a node has anything to fetch.
 * </ul>
 *
 * <p>With many files from many nodes the bytes come to a plain count; with a single file to the
 * time of one pipeline against that of one uplink. What does not hang on bytes grows with each copy
 * (a fetch counts as no more than a hop): hence fewer copies of small files, and never fewer of
 * larger ones.
 *
 * @param nodes n, at least 1
 * @param files what is written
 * @param readers who reads it
 * @param fetching R, and whether a node keeps what it has fetched
 */
record BroadcastCost(int nodes, Files files, Readers readers, FetchModel fetching) {

  /**
   * What a further replica takes, whatever its size: one more DataNode in the pipeline makes a
   * block and reports it. Of a file of 1,000 bytes the two threads of its DataNode took 0.9 ms of
   * processor time (docs/benchmarks-runner.md, "What is left of a task with files").
   */
  static final double HOP_SECONDS = 0.001;

  /**
   * What a fetch takes, whatever its size. A file of 1,000 bytes was read for 2.2 ms of processor
   * time of client and servers (measured in the same place), most of which a replica on the node of
   * the reader would have taken, too; so it counts as no more than a hop.
   */
  static final double FETCH_SECONDS = HOP_SECONDS;

  /**
   * What copies have to save. Below it, files of a few kilobytes, they were slower on the whole: a
   * hop takes several times as long in a DataNode that is not warm, and the readers, of whom all
   * begin at once, wait for processors and not for links.
   */
  static final double LEAST_GAIN_SECONDS = 0.01;

  /**
   * Files that are alike.
   *
   * @param count m, at least 1
   * @param bytes S, bytes of a file on average
   * @param producers p, at least 1 and at most one a file
   */
  record Files(int count, double bytes, int producers) {}

  /**
   * Who reads them.
   *
   * @param each k, readers of a file on average
   * @param tasks t, how many read any of them, at least 1
   * @param filesPerTask d, how many of them such a task reads on average, at least 1
   */
  record Readers(double each, int tasks, double filesPerTask) {}

  /** Seconds for writing and reading with this many copies of each file. */
  double at(int copies) {
    double writers = Math.min(nodes, files.producers());
    double holders = Math.min(nodes, writers * copies);
    double fetches = files.count() * readersThatFetch() * missing(copies, holders);
    double written =
        copies == 1 ? 0 : Math.max(files.count() / writers, files.count() * (copies - 1.0) / nodes);
    double fixed =
        HOP_SECONDS * (copies - 1) * files.count() / writers
            + FETCH_SECONDS * Math.min(1, fetches / busy());
    return files.bytes() / fetching.bytesPerSecond() * (written + fetches / holders) + fixed;
  }

  private double readersThatFetch() {
    return fetching.once() ? Math.min(nodes, readers.each()) : readers.each();
  }

  private double busy() {
    return Math.min(nodes, readers.tasks());
  }

  /** How likely a file is not on the node where it is read. */
  private double missing(int copies, double holders) {
    double busy = busy();
    double chosenFor = 1 / readers.filesPerTask();
    double beside = Math.max(0, 1 - (double) copies / nodes);
    return chosenFor * (1 - Math.min(holders, busy) / busy) + (1 - chosenFor) * beside;
  }

  /**
   * The number of copies with which it is fastest; of equals the smallest, and one where others
   * save next to nothing.
   *
   * @param most the most copies to consider
   */
  int best(int most) {
    int best = 1;
    for (int copies = 2; copies <= Math.min(nodes, most); copies++) {
      if (at(copies) < at(best)) {
        best = copies;
      }
    }
    return at(1) - at(best) < LEAST_GAIN_SECONDS ? 1 : best;
  }
}

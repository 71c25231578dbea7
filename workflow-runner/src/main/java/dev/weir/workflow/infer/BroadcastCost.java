package dev.weir.workflow.infer;

/**
 * What it costs to make several copies of files that many tasks read: bytes over the busiest link,
 * first while the files are written, then while they are read. A pure function of the numbers
 * below.
 *
 * <p>Goals: never predict a choice to be cheaper than it is, and never choose worse than stock.
 *
 * <p>With n nodes, m files of S bytes from p producers on different nodes, k readers a file, of
 * which each reads d files of the class, and f copies, where p counts at most n:
 *
 * <ul>
 *   <li>Writing with f = 1 stays on the writer's disk. With f &gt; 1 each file goes through one
 *       pipeline: a writer sends its m/p files once, and all links together carry (f-1) copies of m
 *       files, so the busiest carries S·max(m/p, m·(f-1)/n).
 *   <li>A task is given to a node that holds one of its d files, where there is one: h = min(n,
 *       p·f) nodes hold any. The t tasks that read them keep u = min(n, t) nodes busy, of which 1 -
 *       min(h, u)/u have to do without. The other d - 1 files are there by chance, f of n times. So
 *       a file is missing where it is read with the probability (1/d)·(1 - min(h, u)/u) + (1 -
 *       1/d)·(1 - f/n).
 *   <li>All m files together are sent m·k times that often by the h nodes that hold them.
 * </ul>
 *
 * <p>With many files from many nodes this is the plain count of bytes; with a single file it is the
 * time of one pipeline against that of one uplink.
 *
 * @param nodes n, at least 1
 * @param files what is written
 * @param readers who reads it
 */
record BroadcastCost(int nodes, Files files, Readers readers) {

  /**
   * Files that are alike.
   *
   * @param count m, at least 1
   * @param bytes S, bytes of a file on average
   * @param producers p, at least 1
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

  /** Bytes over the busiest link with this many copies of each file. */
  double at(int copies) {
    double writers = Math.min(nodes, files.producers());
    double write =
        copies == 1 ? 0 : Math.max(files.count() / writers, files.count() * (copies - 1.0) / nodes);
    double holders = Math.min((double) nodes, writers * copies);
    double read = files.count() * readers.each() * missing(copies, holders) / holders;
    return files.bytes() * (write + read);
  }

  /** How likely a file is not on the node where it is read. */
  private double missing(int copies, double holders) {
    double busy = Math.min(nodes, readers.tasks());
    double chosenFor = 1 / readers.filesPerTask();
    double beside = Math.max(0, 1 - (double) copies / nodes);
    return chosenFor * (1 - Math.min(holders, busy) / busy) + (1 - chosenFor) * beside;
  }

  /**
   * The number of copies that costs least; of equals the smallest.
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
    return best;
  }
}

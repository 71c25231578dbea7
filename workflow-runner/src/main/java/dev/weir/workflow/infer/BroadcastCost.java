package dev.weir.workflow.infer;

/**
 * What it costs to make several copies of files that many tasks read: bytes over the busiest link,
 * first while the files are written, then while they are read. A pure function of the numbers
 * below.
 *
 * <p>Goals: never predict a choice to be cheaper than it is, and never choose worse than stock.
 *
 * <p>With n nodes, m files of S bytes from p producers on different nodes, k readers a file and f
 * copies, where p counts at most n:
 *
 * <ul>
 *   <li>Writing with f = 1 stays on the writer's disk. With f &gt; 1 each file goes through one
 *       pipeline: a writer sends its m/p files once, and all links together carry (f-1) copies of m
 *       files, so the busiest carries S·max(m/p, m·(f-1)/n).
 *   <li>Readers are spread over the nodes without regard to the copies, so each finds its file
 *       missing with probability 1-f/n. All m files together are sent m·k·(1-f/n) times by the
 *       min(n, p·f) nodes that hold them.
 * </ul>
 *
 * <p>With many files from many nodes this is the plain count of bytes, (f-1)·S + k·(1-f/n)·S a
 * file; with a single file it is the time of one pipeline against that of one uplink.
 *
 * @param nodes n, at least 1
 * @param bytes S, bytes of a file on average
 * @param files m, at least 1
 * @param producers p, at least 1
 * @param readers k, readers of a file on average
 */
record BroadcastCost(int nodes, double bytes, int files, int producers, double readers) {

  /** Bytes over the busiest link with this many copies of each file. */
  double at(int copies) {
    double writers = Math.min(nodes, producers);
    double write = copies == 1 ? 0 : Math.max(files / writers, files * (copies - 1.0) / nodes);
    double holders = Math.min((double) nodes, writers * copies);
    double read = files * readers * (1 - (double) copies / nodes) / holders;
    return bytes * (write + read);
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

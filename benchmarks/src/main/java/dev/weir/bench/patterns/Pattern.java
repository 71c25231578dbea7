package dev.weir.bench.patterns;

import java.util.Locale;

/**
 * The patterns of the synthetic benchmark in Vairavanathan et al., A Workflow-Aware Storage System:
 * An Opportunity Study (CCGrid 2012), table 2. Two are added: gather, with the sizes of scatter,
 * and reuse, one file that is read ten times on one node.
 */
enum Pattern {
  /** On each node, three tasks in sequence that pass a file on. */
  PIPELINE(100, 200, 1),
  /** One file that a task on each node reads. */
  BROADCAST(100, 100, 1),
  /** One file per node, all of which one task reads. */
  REDUCE(10, 10, 200),
  /** One file, of which a task on each node reads a region. */
  SCATTER(100, 190, 1),
  /** One file, of which a task on each node writes a region. */
  GATHER(100, 190, 1),
  /** One file that ten tasks read, one after another. */
  REUSE(100, 100, 1);

  private final long input;
  private final long intermediate;
  private final long output;

  /** Sets the sizes of input, intermediate and output files, in kilobytes if they are small. */
  Pattern(long input, long intermediate, long output) {
    this.input = input;
    this.intermediate = intermediate;
    this.output = output;
  }

  PatternFileSizes sizes(PatternSize size) {
    // The study has one exception.
    long last = this == PIPELINE && size == PatternSize.SMALL ? 10 : output;
    return new PatternFileSizes(input, intermediate, last).scaled((double) size.unit());
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

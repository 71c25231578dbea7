package dev.weir.bench.patterns;

import java.util.Locale;

/**
 * The patterns of the synthetic benchmark in Vairavanathan et al., A Workflow-Aware Storage System:
 * An Opportunity Study (CCGrid 2012), table 2. Two are added: gather, with the sizes of scatter,
 * and reuse, one file that is read ten times on one node.
 */
enum Pattern {
  /** On each node, three tasks in sequence that pass a file on. */
  PIPELINE {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return switch (size) {
        case SMALL -> PatternFileSizes.ofKilobytes(100, 200, 10);
        case MEDIUM -> PatternFileSizes.ofMegabytes(100, 200, 1);
        case LARGE -> PatternFileSizes.ofMegabytes(1000, 2000, 10);
      };
    }
  },
  /** One file that a task on each node reads. */
  BROADCAST {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return switch (size) {
        case SMALL -> PatternFileSizes.ofKilobytes(100, 100, 1);
        case MEDIUM -> PatternFileSizes.ofMegabytes(100, 100, 1);
        case LARGE -> PatternFileSizes.ofMegabytes(1000, 1000, 10);
      };
    }
  },
  /** One file per node, all of which one task reads. */
  REDUCE {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return switch (size) {
        case SMALL -> PatternFileSizes.ofKilobytes(10, 10, 200);
        case MEDIUM -> PatternFileSizes.ofMegabytes(10, 10, 200);
        case LARGE -> PatternFileSizes.ofMegabytes(100, 100, 2000);
      };
    }
  },
  /** One file, of which a task on each node reads a region. */
  SCATTER {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return switch (size) {
        case SMALL -> PatternFileSizes.ofKilobytes(100, 190, 1);
        case MEDIUM -> PatternFileSizes.ofMegabytes(100, 190, 1);
        case LARGE -> PatternFileSizes.ofMegabytes(1000, 1900, 10);
      };
    }
  },
  /** One file, of which a task on each node writes a region. */
  GATHER {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return SCATTER.sizes(size);
    }
  },
  /** One file that ten tasks read, one after another. */
  REUSE {
    @Override
    PatternFileSizes sizes(PatternSize size) {
      return BROADCAST.sizes(size);
    }
  };

  abstract PatternFileSizes sizes(PatternSize size);

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.weir.cli.demo;

import java.util.List;

/**
 * What came of the demo.
 *
 * @param spec what was asked
 * @param workflow the name of the workflow
 * @param realPrograms whether the Montage programs ran; stand-ins did otherwise
 * @param modes what came of each mode, in the order of the runs
 */
record DemoResult(DemoSpec spec, String workflow, boolean realPrograms, List<ModeResult> modes) {

  DemoResult {
    modes = List.copyOf(modes);
  }

  /** Whether every mode gave the mosaic that the programs give without Hadoop. */
  boolean identicalToSequential() {
    return realPrograms
        && modes.stream()
            .allMatch(
                mode -> mode.comparison().map(comparison -> comparison.identical()).orElse(false));
  }
}

package dev.weir.cli.demo;

import java.util.List;

/**
 * The result of the demo.
 *
 * @param spec the specification
 * @param realPrograms whether the Montage programs ran, instead of stand-ins
 * @param modes results of the modes, in the order of the runs
 */
record DemoResult(DemoSpec spec, String workflow, boolean realPrograms, List<ModeResult> modes) {

  DemoResult {
    modes = List.copyOf(modes);
  }

  /** Returns whether the mosaic of every mode equals the one made without Hadoop. */
  boolean identicalToSequential() {
    return realPrograms
        && modes.stream()
            .allMatch(
                mode -> mode.comparison().map(comparison -> comparison.identical()).orElse(false));
  }
}

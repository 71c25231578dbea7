package dev.weir.cli.demo;

import dev.weir.montage.FitsComparison;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.Mode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of one mode.
 *
 * @param mosaic the comparison with the mosaic made without Hadoop; null if stand-ins ran
 */
record ModeResult(Mode mode, RunRecord run, @Nullable FitsComparison mosaic) {

  Optional<FitsComparison> comparison() {
    return Optional.ofNullable(mosaic);
  }
}

package dev.weir.cli.demo;

import dev.weir.montage.FitsComparison;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.Mode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of one mode.
 *
 * @param mode the mode
 * @param run what its tasks did
 * @param mosaic how its mosaic compares with the one made without Hadoop; null when stand-ins ran
 */
record ModeResult(Mode mode, RunRecord run, @Nullable FitsComparison mosaic) {

  Optional<FitsComparison> comparison() {
    return Optional.ofNullable(mosaic);
  }
}

package dev.weir.cli.demo;

import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.montage.FitsComparison;
import dev.weir.montage.SkySpec;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Traffic;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import nom.tam.fits.Fits;
import nom.tam.fits.FitsException;
import nom.tam.fits.ImageData;

/** Sample results of the demo. */
final class Results {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private Results() {}

  static DemoResult result(boolean realPrograms, ModeResult... modes) {
    List<Mode> order = List.of(modes).stream().map(ModeResult::mode).toList();
    DemoSpec spec =
        new DemoSpec(
            4,
            HostKind.NAMESPACES,
            LinkRate.parse("100mbit"),
            SkySpec.ofTiles(16),
            order,
            Path.of("/out"));
    return new DemoResult(spec, "montage-16-tiles", realPrograms, List.of(modes));
  }

  static RunRecord run(Mode mode, Traffic traffic) {
    TaskRecord task =
        TaskRecord.builder("mAdd", "mAdd", 1)
            .worker("w1", "n1")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(START, START)
            .traffic(traffic)
            .build();
    return new RunRecord(
        "run-1",
        "montage-16-tiles",
        mode.label(),
        RunState.SUCCEEDED,
        START,
        START.plusMillis(61_250),
        List.of(),
        List.of(task));
  }

  /** Returns the comparison of two images of one pixel. */
  static FitsComparison comparison(Path directory, double expected, double actual)
      throws IOException {
    return FitsComparison.compare(
        image(directory.resolve("expected.fits"), expected),
        image(directory.resolve("actual.fits"), actual));
  }

  private static Path image(Path file, double pixel) throws IOException {
    try (Fits fits = new Fits()) {
      fits.addHDU(ImageData.from(new double[][] {{pixel}}).toHDU());
      fits.write(file.toFile());
    } catch (FitsException e) {
      throw new IOException(e);
    }
    return file;
  }
}

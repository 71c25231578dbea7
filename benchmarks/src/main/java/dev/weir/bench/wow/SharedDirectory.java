package dev.weir.bench.wow;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.series.Setup;
import dev.weir.bench.shared.SharedDirectoryRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Runs subjects in a directory that all nodes mount. */
record SharedDirectory(SharedDirectoryRuns runs, Duration limit) implements ForeignSystem {
  static SharedDirectory start(Site site) throws IOException, InterruptedException {
    return new SharedDirectory(
        SharedDirectoryRuns.start(site.cluster(), site.scratch(), site.clock()), site.limit());
  }

  @Override
  public MeasuredRuns.Measured run(Subject subject, Setup setup, Path results)
      throws IOException, InterruptedException {
    return runs.run(
        new SharedDirectoryRuns.Work(
            subject.name(),
            subject.workflow(),
            subject.inputs().directory(),
            subject.programs().standIn()),
        limit);
  }

  @Override
  public void close() {
    runs.close();
  }
}

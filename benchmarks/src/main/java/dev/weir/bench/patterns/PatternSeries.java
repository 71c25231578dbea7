package dev.weir.bench.patterns;

import dev.weir.bench.real.BenchOptions;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Series;
import dev.weir.bench.series.Setup;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.report.ReportWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs an experiment in several setups, in turns, and keeps the record of each run and the lanes of
 * the last repetition, in which one sees what took its time. Not for several threads at once.
 */
final class PatternSeries {
  private final PatternRuns runs;
  private final List<Setup> setups;
  private final int repeat;
  private final Path out;
  private final PrintWriter console;

  /**
   * A series.
   *
   * @param repeat how often each setup is run
   * @param out has a directory of records for each experiment afterwards
   * @param console is told of each run
   */
  PatternSeries(PatternRuns runs, List<Setup> setups, int repeat, Path out, PrintWriter console) {
    this.runs = runs;
    this.setups = List.copyOf(setups);
    this.repeat = repeat;
    this.out = out;
    this.console = console;
  }

  /**
   * Runs it.
   *
   * @throws IOException when a run does not succeed, or its results are wrong
   */
  Series measure(Experiment experiment) throws IOException, InterruptedException {
    Path directory = Files.createDirectories(out.resolve(directory(experiment)));
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= repeat; i++) {
      List<RunRecord> records = new ArrayList<>();
      for (Setup setup : BenchOptions.turn(setups, i - 1)) {
        PatternRuns.Done done = runs.run(experiment, setup, i);
        RunRecordCodec.write(done.record(), directory.resolve(setup.label() + "-" + i + ".json"));
        records.add(done.record());
        samples.add(done.sample());
        say(experiment, done.sample());
      }
      ReportWriter.write(records, directory.resolve("report.html"));
    }
    return new Series(samples);
  }

  private static String directory(Experiment experiment) {
    return String.join(
        "-", experiment.pattern().label(), experiment.size().label(), experiment.variant().label());
  }

  private void say(Experiment experiment, Sample sample) {
    console.printf(
        Locale.ROOT,
        "  %s, %s, %d: %.2f s of %.1f s%n",
        experiment.label(),
        sample.setup().label(),
        sample.repeat(),
        sample.seconds(),
        sample.times().whole());
    console.flush();
  }
}

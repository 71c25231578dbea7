package dev.weir.bench.real;

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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Runs subjects in several setups, in turns, and keeps tables, page, records and the lanes of the
 * last repetition as they come. Not for several threads at once.
 */
final class ComparisonRun {
  private final Plan plan;
  private final SubjectRuns runs;
  private final PrintWriter console;
  private final List<Comparison> done = new ArrayList<>();
  private final StringBuilder csv = new StringBuilder(ComparisonTables.csvHeader());

  /**
   * What is to be done.
   *
   * @param name of the files that are written, without ending
   * @param heading of the page
   * @param about where and how it is measured
   * @param setups in which
   * @param repeat how often each
   * @param out where the files go
   */
  record Plan(String name, String heading, String about, List<Setup> setups, int repeat, Path out) {
    Plan {
      setups = List.copyOf(setups);
      if (setups.isEmpty() || repeat < 1) {
        throw new IllegalArgumentException(
            repeat + " repetitions of " + setups + ": give one of each at least");
      }
    }
  }

  ComparisonRun(Plan plan, SubjectRuns runs, PrintWriter console) {
    this.plan = plan;
    this.runs = runs;
    this.console = console;
  }

  /** Runs what is not in the tables: the first runs on a new cluster, which are slow. */
  void warmUp(Subject subject) throws IOException, InterruptedException {
    for (Setup setup : plan.setups()) {
      runs.run(subject, setup, plan.out());
    }
  }

  /**
   * Runs a subject.
   *
   * @throws IOException when a run fails, or its results are others than those of the first
   */
  void compare(Subject subject) throws IOException, InterruptedException {
    Path directory = Files.createDirectories(plan.out().resolve(subject.name()));
    ResultKeeper results = new ResultKeeper(subject, directory);
    List<Sample> samples = new ArrayList<>();
    Map<Setup, List<Double>> stageIns = new HashMap<>();
    for (int i = 0; i < plan.repeat(); i++) {
      List<RunRecord> records = new ArrayList<>();
      for (Setup setup : BenchOptions.turn(plan.setups(), i)) {
        String label = setup.label() + "-" + (i + 1);
        SubjectRuns.Done run = runs.run(subject, setup, results.of(label));
        results.check(label);
        RunRecordCodec.write(run.record(), directory.resolve(label + ".json"));
        records.add(run.record());
        Sample sample = Sample.of(setup, i + 1, run.record(), Set.of(), run.usage());
        samples.add(sample);
        stageIns.computeIfAbsent(setup, made -> new ArrayList<>()).add(run.stageInSeconds());
        say(subject, sample);
      }
      ReportWriter.write(records, directory.resolve("report.html"));
    }
    done.add(new Comparison(subject.name(), subject.about(), new Series(samples), stageIns));
    write();
  }

  private void say(Subject subject, Sample sample) {
    console.printf(
        Locale.ROOT,
        "%s, %s, %d: %.1f s, %.0f %% read locally, %.1f MB over the network, %.1f MB stored%n",
        subject.name(),
        sample.setup().label(),
        sample.repeat(),
        sample.seconds(),
        100 * sample.localShare(),
        sample.usage().networkBytes() / 1e6,
        sample.usage().peakStorage() / 1e6);
    console.flush();
  }

  private void write() throws IOException {
    csv.append(ComparisonTables.csv(done.get(done.size() - 1)));
    Files.writeString(plan.out().resolve(plan.name() + ".csv"), csv);
    Files.writeString(plan.out().resolve(plan.name() + ".md"), markdown());
    ComparisonPage.write(
        done, plan.heading(), plan.about(), plan.out().resolve(plan.name() + ".html"));
  }

  /** All that came out so far. */
  String markdown() {
    return ComparisonTables.markdown(done, plan.about());
  }
}

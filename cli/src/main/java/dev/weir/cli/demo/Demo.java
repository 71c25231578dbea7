package dev.weir.cli.demo;

import dev.weir.cli.cluster.DistributionJars;
import dev.weir.cli.cluster.ProgressLine;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.montage.FitsComparison;
import dev.weir.montage.MontagePrograms;
import dev.weir.montage.MontageWorkflow;
import dev.weir.montage.SequentialRun;
import dev.weir.montage.SkySpec;
import dev.weir.montage.Survey;
import dev.weir.montage.SurveyFiles;
import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportWriter;
import dev.weir.workflow.htmlreport.RunDetails;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class Demo {

  private final DemoSpec spec;
  private final DemoFiles files;
  private final DemoConsole console;
  private final Map<String, String> environment;
  private final boolean realPrograms;

  /**
   * Creates a demo.
   *
   * @param environment of this process; its PATH decides whether the real programs run
   */
  Demo(DemoSpec spec, Map<String, String> environment, DemoConsole console) {
    this.spec = spec;
    this.files = new DemoFiles(spec.out());
    this.console = console;
    this.environment = Map.copyOf(environment);
    List<String> missing = MontagePrograms.missing(environment);
    this.realPrograms = missing.isEmpty();
    if (!realPrograms) {
      console.say(
          ProgramLookup.missingMessage(missing, MontagePrograms.INSTALL)
              + "\nUntil then stand-in tasks take their place: they read and write the declared"
              + " bytes and make no mosaic.");
    }
  }

  /** Runs the demo. The cluster is removed afterwards, also after a failure. */
  DemoResult run() throws IOException, InterruptedException {
    HadoopJars jars = DistributionJars.locate();
    files.prepare();
    Workflow workflow = observe();
    if (realPrograms) {
      mosaicSequentially(workflow);
    }
    DemoResult result =
        new DemoResult(spec, workflow.name(), realPrograms, mosaicInAllModes(workflow, jars));
    SummaryFile.write(result, files.summary());
    Map<String, List<String>> commands = new HashMap<>();
    workflow.tasks().forEach(task -> commands.put(task.id(), task.command()));
    RunDetails details = new RunDetails(!realPrograms, commands, Map.of());
    ReportWriter.write(
        result.modes().stream().map(mode -> new ReportRun(mode.run(), details)).toList(),
        files.report());
    return result;
  }

  private Workflow observe() throws IOException {
    console.begin();
    Survey survey = Survey.plan(spec.sky());
    Workflow workflow = MontageWorkflow.of(survey);
    SurveyFiles.write(survey, files.survey());
    WfFormatWriter.write(workflow, files.workflow());
    console.done(
        "Observed a synthetic sky in "
            + spec.sky().tiles()
            + " tiles; their mosaic takes "
            + workflow.tasks().size()
            + " tasks");
    return workflow;
  }

  private void mosaicSequentially(Workflow workflow) throws IOException, InterruptedException {
    console.begin();
    Path work = Files.createTempDirectory(spec.out(), "sequential-");
    try {
      Path data = Files.createDirectory(work.resolve("data"));
      try (Stream<Path> inputs = Files.list(files.survey())) {
        for (Path input : inputs.toList()) {
          Files.copy(input, data.resolve(input.getFileName()));
        }
      }
      new SequentialRun(data, work.resolve("sandboxes"), environment)
          .run(workflow, task -> console.now("without Hadoop: " + task.id()));
      Files.move(
          data.resolve(MontageWorkflow.MOSAIC),
          files.sequentialMosaic(),
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      console.clear();
      DemoFiles.deleteTree(work);
    }
    console.done("Made the mosaic without Hadoop, one task after another");
  }

  private List<ModeResult> mosaicInAllModes(Workflow workflow, HadoopJars jars)
      throws IOException, InterruptedException {
    List<ModeResult> results = new ArrayList<>();
    try (LocalCluster cluster = start(jars);
        ModeRunner runner =
            new ModeRunner(
                cluster,
                !realPrograms,
                Map.of("PATH", environment.getOrDefault("PATH", "")),
                console)) {
      warmUp(runner);
      for (Mode mode : spec.modes()) {
        results.add(mosaic(workflow, mode, runner));
      }
    }
    return results;
  }

  private LocalCluster start(HadoopJars jars) throws IOException {
    console.begin();
    ClusterSpec cluster =
        ClusterSpec.builder(jars)
            .nodes(spec.nodes())
            .link(spec.link())
            .hosts(spec.hosts())
            // Runs write their hints to ZooKeeper, so no service is needed.
            .hintServices(0)
            .build();
    LocalCluster started;
    try (ProgressLine progress = console.clusterProgress()) {
      started = LocalCluster.start(cluster, progress);
    }
    console.done("Started a cluster of " + spec.nodes() + " nodes, links " + spec.link());
    return started;
  }

  /** Makes a run that is not measured, because the first run on cold daemons is slow. */
  private void warmUp(ModeRunner runner) throws IOException, InterruptedException {
    console.begin();
    Path work = Files.createTempDirectory(spec.out(), "warm-up-");
    try {
      Survey small = Survey.plan(new SkySpec(2, 100, spec.sky().seed()));
      SurveyFiles.write(small, work.resolve("survey"));
      runner.run(
          MontageWorkflow.of(small), Mode.WEIR, work.resolve("survey"), work.resolve("mosaic"));
    } finally {
      DemoFiles.deleteTree(work);
    }
    console.done("Warmed the cluster up with a mosaic of two small tiles");
  }

  private ModeResult mosaic(Workflow workflow, Mode mode, ModeRunner runner)
      throws IOException, InterruptedException {
    console.begin();
    Path results = files.mosaic(mode).resolveSibling("");
    RunRecord run = runner.run(workflow, mode, files.survey(), results);
    RunRecordCodec.write(run, files.record(mode));
    console.done("Ran in mode " + mode.label());
    if (!realPrograms) {
      return new ModeResult(mode, run, null);
    }
    Files.copy(
        results.resolve(MontageWorkflow.PICTURE),
        files.picture(),
        StandardCopyOption.REPLACE_EXISTING);
    FitsComparison comparison =
        FitsComparison.compare(files.sequentialMosaic(), files.mosaic(mode));
    if (!comparison.identical()) {
      console.say("The mosaic of mode " + mode.label() + " is another one: " + comparison);
    }
    return new ModeResult(mode, run, comparison);
  }
}

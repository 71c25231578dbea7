package dev.weir.cli.run;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.MasterOption;
import dev.weir.cli.common.QueueOptions;
import dev.weir.cli.common.ReplicationOption;
import dev.weir.cli.common.SecretOption;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Usage;
import dev.weir.cli.common.WorkerOptions;
import dev.weir.cli.workflow.WorkflowOptions;
import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.RunnerJars;
import dev.weir.workflow.client.SessionSubmitter;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.report.ReportWriter;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir run}. */
@Command(
    name = "run",
    description = {
      "Runs a workflow on a Hadoop cluster.",
      "The workflow is in " + WorkflowOptions.FORMATS + ".",
      "The cluster is the one of HADOOP_CONF_DIR, or a local one (see 'weir help cluster').",
      "Exit code: 0 the workflow succeeded, 1 a task failed permanently or the run could not start."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir run montage.json --upload tiles --data mosaic --out report",
      "  weir run montage.json --data mosaic --session auto"
    })
public final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "weir",
      description =
          "stock: HDFS and order as always; locality: tasks go where their bytes are; weir: bytes"
              + " go where tasks will be, too (default: ${DEFAULT-VALUE}).")
  private Mode mode;

  @Option(
      names = "--data",
      paramLabel = "HDFS_DIR",
      description =
          "Directory in HDFS with the inputs, for all files (default: weir/NAME in your home"
              + " directory).")
  private @Nullable String data;

  @Option(
      names = "--upload",
      paramLabel = "LOCAL_DIR",
      description = "Copy inputs that HDFS lacks from here first.")
  private @Nullable Path upload;

  @Option(
      names = "--out",
      paramLabel = "LOCAL_DIR",
      defaultValue = "weir-out",
      description = "Where run.json and report.html go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many workers to ask for (default: one on each node).")
  private int workers;

  @Option(
      names = "--worker-cores",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Cores of each worker: it runs tasks side by side as far as they and its memory go"
              + " (default: ${DEFAULT-VALUE}).")
  private int workerCores;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many tasks a worker is given beyond those that it runs, so that their inputs come"
              + " meanwhile; 0 for none (default: ${DEFAULT-VALUE}).")
  private int lookAhead;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpanConverter.class,
      description =
          "A worker is let go after this time without a task, when fewer tasks are left than"
              + " workers (default: ${DEFAULT-VALUE}).")
  private Duration idle;

  @Option(
      names = "--stand-in",
      description =
          "Run no commands: read the inputs, pause for the recorded time, write outputs of the"
              + " declared sizes; missing inputs are made.")
  private boolean standIn;

  @Option(
      names = "--ignore-needs",
      description =
          "Leave the cores and the memory that tasks declare, or that earlier runs have shown,"
              + " aside: each takes one core, and no memory is kept for it. For recordings, whose"
              + " needs are those of the machines of then.")
  private boolean ignoreNeeds;

  @Option(
      names = "--keep-going",
      description =
          "When a task has failed for good, do what can be done without it before the run ends as"
              + " failed; 'weir retry' gives it another chance meanwhile.")
  private boolean keepGoing;

  @Option(
      names = "--speculation",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Whether a task that takes far longer than others of its type is begun a second time on"
              + " another node, when workers have nothing else to do; the first that ends counts"
              + " (default: ${DEFAULT-VALUE}).")
  private OnOff speculation;

  @Option(
      names = "--ahead",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Whether files are copied to nodes before the tasks that read them are ready, over links"
              + " that have nothing else to do and where it pays; not in stock mode (default:"
              + " ${DEFAULT-VALUE}).")
  private OnOff ahead;

  private enum OnOff {
    ON,
    OFF
  }

  @Option(
      names = "--keep",
      paramLabel = "WHAT",
      description =
          "Which of the files that tasks make for other tasks stay when nobody in the run needs"
              + " them any more: all, none, or files by name, with * and ?, several with commas"
              + " between them. What no task reads stays in any case (default: in mode weir all but"
              + " what the workflow itself calls temporary, in others all).")
  private @Nullable String keep;

  @Option(
      names = "--rerun",
      paramLabel = "WHAT",
      defaultValue = RerunChoice.NONE,
      description =
          "What to run although an earlier run of yours has done it, with the same command and"
              + " inputs, and its outputs are there: none, failed (what did not succeed at the"
              + " first try), all, or tasks by id or type, with * and ?, several with commas"
              + " between them (default: ${DEFAULT-VALUE}).")
  private String rerun;

  @Mixin private EnvironmentOption environment;

  @Mixin private SecretOption secret;

  @Mixin private WorkflowOptions reading;

  @Mixin private ReplicationOption replication;

  @Mixin private WorkerOptions taking;

  @Mixin private MasterOption master;

  @Mixin private QueueOptions queue;

  @Mixin private SessionOption session;

  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--detach",
      description = "Return when the run is submitted; 'weir status' shows how far it is.")
  private boolean detach;

  @Override
  public Integer call() throws IOException, InterruptedException {
    String named = session.named();
    if (named == null) {
      TaskSecrets secrets = secret.values(System.getenv());
      Checked checked = checked();
      Configuration conf = cluster.load();
      replication.requireWithin(conf);
      WorkflowRunner runner = new WorkflowRunner(conf, RunnerJars.ofThisProcess());
      return run(
          checked, (request, announced) -> runner.submit(request.withSecrets(secrets), announced));
    }
    Configuration conf = cluster.load();
    // The cluster is asked while the workflow is read.
    try (SessionSubmitter submitter = SessionSubmitter.open(conf, named)) {
      Checked checked = checked();
      replication.requireWithin(conf);
      return run(checked, submitter::submit);
    }
  }

  /** A workflow of which nothing is to be refused that can be seen without a cluster. */
  private record Checked(Workflow workflow, RunRequest request) {}

  private Checked checked() throws IOException {
    Workflow read = reading.read(file, spec.commandLine().getErr()).workflow();
    Workflow workflow = ignoreNeeds ? WorkflowRunner.withoutNeeds(read) : read;
    RetentionPolicy kept = kept(workflow);
    Usage.checked(spec, () -> RerunChoice.parse(rerun).checked(workflow));
    RunRequest request = request(workflow, kept);
    if (!detach) {
      makeOutDirectory();
    }
    sayWhatGoes(workflow, kept);
    return new Checked(workflow, request);
  }

  /** Where a run goes. */
  private interface Submitter {
    RunHandle submit(RunRequest request, Consumer<RunHandle> announced)
        throws IOException, InterruptedException;
  }

  private int run(Checked checked, Submitter submitter) throws IOException, InterruptedException {
    try (KillOnExit guard = new KillOnExit();
        RunHandle run = submitter.submit(checked.request(), guard::guard)) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("Running " + PrintableText.of(checked.workflow().name()) + " as " + run.id());
      err.flush();
      if (detach) {
        guard.disarm();
        return 0;
      }
      return report(run, follow(run, guard), checked.workflow());
    }
  }

  /** What is asked of the runner. */
  RunRequest request(Workflow workflow, RetentionPolicy kept) {
    RunRequest.Builder request =
        RunRequest.builder(workflow, data == null ? defaultData(workflow) : data)
            .mode(mode)
            .standIn(standIn)
            .workers(workerPlan())
            .replication(replication.number())
            .master(master.memory())
            .queue(queue.request())
            .environment(secret.beside(environment.variables()))
            .choices(choices(kept));
    if (upload != null) {
      request.uploadDir(upload);
    }
    return request.build();
  }

  private RetentionPolicy kept(Workflow workflow) {
    String what = keep;
    return what == null
        ? new RetentionPolicy(RetentionPolicy.BY_MODE)
        : Usage.checked(spec, () -> RetentionPolicy.parse(what).checked(workflow));
  }

  /** While it can still be stopped: somebody may want a file of which others are made. */
  private void sayWhatGoes(Workflow workflow, RetentionPolicy kept) {
    int files = IntermediateFiles.of(workflow, kept.files(mode)).size();
    if (files > 0) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          files
              + (files == 1 ? " file that a task makes" : " files that tasks make")
              + " for others will be deleted when nobody in the run needs them any more; --keep"
              + " all, or --keep PATTERN, keeps them");
      err.flush();
    }
  }

  private RunOptions choices(RetentionPolicy kept) {
    return new RunOptions(
        keepGoing, rerun, speculation == OnOff.ON, ahead == OnOff.ON, kept.text(), ignoreNeeds);
  }

  private WorkerPlan workerPlan() {
    return Usage.checked(
        spec,
        () ->
            taking
                .plan(workers, workerCores, lookAhead)
                .elastic(0, WorkerOptions.idleSeconds(idle)));
  }

  /** A result that cannot be kept is better known before the run than after it. */
  private void makeOutDirectory() throws IOException {
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new IOException(
          "Cannot make the directory "
              + out
              + " for the record and the report ("
              + e.getClass().getSimpleName()
              + "): name another one with --out",
          e);
    }
  }

  /** What goes with {@code --keep none} alone, if nobody has said what is to stay. */
  Set<String> staying(Workflow workflow) {
    if (keep != null) {
      return Set.of();
    }
    Set<String> staying =
        IntermediateFiles.of(workflow, new RetentionPolicy(RetentionPolicy.NONE).files(mode));
    staying.removeAll(
        IntermediateFiles.of(workflow, new RetentionPolicy(RetentionPolicy.BY_MODE).files(mode)));
    return staying;
  }

  private static String defaultData(Workflow workflow) {
    return "weir/" + workflow.name().replaceAll("[^A-Za-z0-9._-]", "_");
  }

  private RunRecord follow(RunHandle run, KillOnExit guard)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    ProgressDisplay display = new ProgressDisplay(err, Ansi.AUTO.enabled(), Clock.systemUTC());
    try {
      guard.announceWaiting();
      RunRecord record = run.await(display);
      guard.disarm();
      return record;
    } finally {
      display.clear();
      guard.kill();
    }
  }

  private static void tell(RunFailure failure, String run, PrintWriter err) {
    err.println(FailureText.of(failure));
    err.print(GivenUpText.of(failure.givenUp(), GivenUpText.SHOWN, GivenUpText.toListAll(run)));
  }

  private int report(RunHandle run, RunRecord record, Workflow workflow) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    run.failure().ifPresent(failure -> tell(failure, run.id(), err));
    err.println(ClosingLine.of(record, staying(workflow)));
    err.flush();
    RunRecordCodec.write(record, out.resolve("run.json"));
    Path html = out.resolve("report.html");
    ReportWriter.write(List.of(record), html);
    err.println("Report: " + html.toAbsolutePath().normalize());
    err.flush();
    new ClassArchive(System.getProperty(ClassArchive.MARK)).keep();
    return record.state() == RunState.SUCCEEDED ? 0 : 1;
  }
}

package dev.weir.cli.run;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ApplicationOptions;
import dev.weir.cli.common.KeytabOption;
import dev.weir.cli.common.MasterOption;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.ReplicationOption;
import dev.weir.cli.common.SecretOption;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Usage;
import dev.weir.cli.common.WorkerOptions;
import dev.weir.cli.workflow.WorkflowOptions;
import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.RunResults;
import dev.weir.workflow.client.RunResults.Found;
import dev.weir.workflow.client.SessionSubmitter;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.hdfs.MountedHdfs;
import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunnerJars;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
    abbreviateSynopsis = true,
    footer = {
      "",
      "Example:",
      "  weir run montage.json --upload tiles --data mosaic --out report",
      "  weir run montage.json --data mosaic --session auto"
    })
@OptionSection(
    heading = "What to run",
    options =
        "--format --define --args --env --env-file --secret --container --rerun --keep-going "
            + "--stand-in --detach --notify")
@OptionSection(
    heading = "Where",
    options =
        "--cluster --local --session --queue --priority --node-label --max-time --tag "
            + "--view-acl --modify-acl --keytab --principal")
@OptionSection(
    heading = "Resources",
    options =
        "--workers --worker-cores --worker-memory --task-timeout --idle --master-memory "
            + "--ignore-needs")
@OptionSection(
    heading = "Data",
    options =
        "--data --upload --transfers --download --publish --move --out --force --keep "
            + "--intermediate --replication --cache")
@OptionSection(heading = "Tuning", options = "--mode --look-ahead --speculation --large --slots")
public final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "weir",
      description =
          "How files and tasks are placed (default: ${DEFAULT-VALUE}). stock: as Hadoop does;"
              + " locality: tasks run near their inputs; weir: in addition, hints place files near"
              + " the tasks that will read them.")
  private Mode mode;

  @Option(
      names = "--data",
      paramLabel = "HDFS_DIR",
      description =
          "HDFS directory of inputs and outputs (default: weir/NAME in your home directory).")
  private @Nullable String data;

  @Option(
      names = "--upload",
      paramLabel = "LOCAL_DIR",
      description = "Local directory from which inputs that HDFS lacks are copied first.")
  private @Nullable Path upload;

  @Option(
      names = "--transfers",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How many external inputs the nodes fetch at a time (default: ${DEFAULT-VALUE}).")
  private int transfers;

  @Option(
      names = "--out",
      paramLabel = "LOCAL_DIR",
      defaultValue = "weir-out",
      description = "Local directory for run.json and report.html (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--force",
      description = "Replace an older report in the directory of --out; else it is renamed.")
  private boolean force;

  @Option(
      names = "--download",
      paramLabel = "LOCAL_DIR",
      description = "Local directory to which the results of a successful run are copied.")
  private @Nullable Path download;

  @Option(
      names = "--publish",
      paramLabel = "URI",
      description =
          "Directory of any Hadoop file system to which the results of a successful run are"
              + " copied.")
  private @Nullable URI publish;

  @Option(
      names = "--move",
      description =
          "With --publish: move the results instead of copying them. A later run makes them again.")
  private boolean move;

  @Option(
      names = "--local",
      description =
          "Start a local cluster of three nodes if neither HADOOP_CONF_DIR nor a running local"
              + " cluster names one. It keeps running.")
  private boolean local;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many workers to request (default: one on each node).")
  private @Nullable Integer workers;

  @Option(
      names = "--worker-cores",
      paramLabel = "N",
      description =
          "Cores of each worker (default: 1; without --worker-memory as many as the largest task"
              + " needs). A worker runs as many tasks at a time as its cores and memory allow.")
  private @Nullable Integer workerCores;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpanConverter.class,
      description =
          "How long a worker may be idle before it is released, if fewer tasks are left than"
              + " workers (default: ${DEFAULT-VALUE}).")
  private Duration idle;

  @Option(
      names = "--task-timeout",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description =
          "Kills an attempt whose command runs longer; it counts as a failure (default: no limit)."
              + " A limit that a task declares takes precedence.")
  private @Nullable Duration taskTimeout;

  @Option(
      names = "--container",
      paramLabel = "IMAGE",
      description =
          "Runs each command in a container of this image, unless its task declares one: a file of"
              + " the data directory (.tar, .tar.gz or .sif), or a name that the nodes' podman,"
              + " Docker or Apptainer finds, such as docker://debian:12.")
  private @Nullable String container;

  @Option(
      names = "--stand-in",
      description =
          "Simulate the commands: read the inputs, wait for the recorded time, write outputs of the"
              + " declared sizes. Missing inputs are generated.")
  private boolean standIn;

  @Option(
      names = "--ignore-needs",
      description =
          "Ignore the cores and memory that tasks declare or that earlier runs measured: each task"
              + " takes one core and reserves no memory. For recordings made on larger machines.")
  private boolean ignoreNeeds;

  @Option(
      names = "--keep-going",
      description =
          "After a task has failed permanently, run all tasks that do not depend on it before the"
              + " run ends as failed. 'weir retry' can retry the task until then.")
  private boolean keepGoing;

  @Option(
      names = "--speculation",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Whether idle workers run a second attempt of a task that takes far longer than others of"
              + " its type (default: ${DEFAULT-VALUE}). The attempt that ends first counts.")
  private OnOff speculation;

  private enum OnOff {
    ON,
    OFF
  }

  @Option(
      names = "--keep",
      paramLabel = "WHAT",
      description =
          "Intermediate files to keep after their last reader has ended: all, none, or a"
              + " comma-separated list of names with * and ? (default: all; in mode weir all but"
              + " those that the workflow marks as temporary). Results are always kept.")
  private @Nullable String keep;

  @Option(
      names = "--intermediate",
      paramLabel = "hdfs|node",
      defaultValue = "auto",
      description =
          "Where tasks write intermediate files in mode weir (default: node; hdfs in an encryption"
              + " zone). node: on the node of the task, from which other nodes fetch them. Those"
              + " that the run keeps are copied to HDFS in the background.")
  private IntermediateStore intermediate;

  @Option(
      names = "--rerun",
      paramLabel = "WHAT",
      defaultValue = RerunChoice.NONE,
      description =
          "Tasks to run although the result of an earlier run of yours can be reused: none, failed"
              + " (those whose first attempt failed), all, or a comma-separated list of ids and"
              + " types with * and ? (default: ${DEFAULT-VALUE}). A result can be reused if command"
              + " and inputs are the same and the outputs exist.")
  private String rerun;

  @Mixin private EnvironmentOption environment;

  @Mixin private SecretOption secret;

  @Mixin private KeytabOption keytab;

  @Mixin private WorkflowOptions reading;

  @Mixin private ReplicationOption replication;

  @Mixin private WorkerOptions taking;

  @Mixin private MasterOption master;

  @Mixin private ApplicationOptions queue;

  @Mixin private SessionOption session;

  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--detach",
      description = "Return when the run is submitted; 'weir status' shows its progress.")
  private boolean detach;

  @Mixin private NotifyOption notify;

  @Override
  public Integer call() throws IOException, InterruptedException {
    String named = session.named();
    notify.check(detach, named != null);
    if (named == null) {
      TaskSecrets secrets = secret.values(System.getenv());
      Checked checked = checked();
      Configuration conf =
          keytab.login(local ? cluster.loadOrStart(spec.commandLine().getErr()) : cluster.load());
      replication.requireWithin(conf);
      WorkflowRunner runner = new WorkflowRunner(conf, RunnerJars.ofThisProcess());
      return run(
          checked,
          (request, announced) ->
              runner.submit(notify.with(request.withSecrets(secrets)), announced));
    }
    Configuration conf = keytab.login(cluster.load());
    // The session is looked up while the workflow is read.
    try (SessionSubmitter submitter = SessionSubmitter.open(conf, named)) {
      Checked checked = checked();
      replication.requireWithin(conf);
      return run(checked, submitter::submit);
    }
  }

  /** A workflow and a request that passed all checks which need no cluster. */
  private record Checked(Workflow workflow, RunRequest request) {}

  private Checked checked() throws IOException {
    if (detach && (download != null || publish != null)) {
      throw new ParameterException(
          spec.commandLine(),
          "--detach does not wait for results to copy: leave out --download and --publish, and use"
              + " 'weir get' later");
    }
    if (move && publish == null) {
      throw new ParameterException(
          spec.commandLine(), "--move moves the results to the directory of --publish: name one");
    }
    PrintWriter err = spec.commandLine().getErr();
    Workflow read = standIn ? reading.read(file, err).workflow() : reading.readToRun(file, err);
    String image = container;
    Workflow placed =
        image == null ? read : Usage.checked(spec, () -> WorkflowRunner.withContainer(read, image));
    Workflow unlimited = ignoreNeeds ? WorkflowRunner.withoutNeeds(placed) : placed;
    Workflow workflow =
        taskTimeout == null
            ? unlimited
            : WorkflowRunner.withTimeLimit(unlimited, Math.max(1, taskTimeout.toSeconds()));
    RetentionPolicy kept = kept(workflow);
    Usage.checked(spec, () -> RerunChoice.parse(rerun).checked(workflow));
    RunRequest request = request(workflow, kept);
    if (!detach) {
      makeOutDirectory();
    }
    announceDeletions(workflow, kept);
    return new Checked(workflow, request);
  }

  /** Submits to a new session or to a running one. */
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

  /** Returns the request that the options describe. */
  RunRequest request(Workflow workflow, RetentionPolicy kept) {
    RunRequest.Builder request =
        RunRequest.builder(workflow, WorkflowOptions.dataDirectory(data, workflow))
            .mode(mode)
            .standIn(standIn)
            .workers(workerPlan())
            .sizeByTasks(workerCores == null && !taking.hasMemory())
            .replication(replication.number())
            .master(master.memory())
            .queue(queue.request())
            .environment(secret.beside(environment.variables()))
            .choices(choices(kept))
            .transfers(transfers);
    if (upload != null) {
      request.uploadDir(upload);
    }
    return Usage.checked(spec, request::build);
  }

  private RetentionPolicy kept(Workflow workflow) {
    String what = keep;
    return what == null
        ? new RetentionPolicy(RetentionPolicy.BY_MODE)
        : Usage.checked(spec, () -> RetentionPolicy.parse(what).checked(workflow));
  }

  /** Announces deletions before the run starts, while the user can still stop it. */
  private void announceDeletions(Workflow workflow, RetentionPolicy kept) {
    int files = IntermediateFiles.of(workflow, kept.files(mode)).size();
    if (files > 0) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          files
              + (files == 1 ? " intermediate file" : " intermediate files")
              + " will be deleted when no task needs them; --keep all, or --keep PATTERN,"
              + " keeps them");
      err.flush();
    }
  }

  private RunOptions choices(RetentionPolicy kept) {
    return new RunOptions(
        keepGoing, rerun, speculation == OnOff.ON, kept.text(), ignoreNeeds, intermediate);
  }

  private WorkerPlan workerPlan() {
    return Usage.checked(
        spec,
        () ->
            taking
                .plan(
                    WorkerOptions.count(workers),
                    workerCores == null ? WorkerPlan.DEFAULT.cores() : workerCores)
                .elastic(0, WorkerOptions.idleSeconds(idle)));
  }

  /** Creates the output directory early: an unwritable one shall fail before the run starts. */
  private void makeOutDirectory() throws IOException {
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new IOException(
          ("Cannot make the directory %s for the record and the report (%s): name "
                  + "another one with --out")
              .formatted(out, e.getClass().getSimpleName()),
          e);
    }
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
    err.println(FailureText.of(failure, run));
    err.print(GivenUpText.of(failure.givenUp(), GivenUpText.SHOWN, GivenUpText.toListAll(run)));
  }

  /** Prints where the results are, and copies them to where the user wants them. */
  private void deliver(RunHandle run, Workflow workflow, PrintWriter err) throws IOException {
    RunResults results = run.results(workflow);
    Found found;
    try {
      found = results.results();
    } catch (IOException e) {
      if (download != null || publish != null) {
        throw e;
      }
      err.println("The results cannot be listed now: " + e.getMessage());
      return;
    }
    if (!move) {
      err.println(ResultsText.of("in " + results.directory(), found));
    }
    if (download != null) {
      results.download(found, download);
      err.println("Copied to " + download.toAbsolutePath().normalize());
    }
    if (publish != null) {
      Configuration conf = cluster.load();
      org.apache.hadoop.fs.Path named = new org.apache.hadoop.fs.Path(publish);
      org.apache.hadoop.fs.Path to = MountedHdfs.resolve(named.getFileSystem(conf), named);
      if (move) {
        run.noteMove(to.toUri());
        results.move(found, to, conf);
        err.println(ResultsText.of("moved to " + to, found));
      } else {
        results.publish(found, to, conf);
        err.println("Copied to " + to);
      }
    }
  }

  private int report(RunHandle run, RunRecord record, Workflow workflow)
      throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    run.failure().ifPresent(failure -> tell(failure, run.id(), err));
    err.println(ClosingLine.of(record));
    err.flush();
    RunFailure failure = run.failure().orElse(null);
    ReportRun shown = new ReportRun(record, run.details());
    err.println("Report: " + RunOutput.write(List.of(shown), failure, out, force));
    if (record.state() == RunState.SUCCEEDED) {
      deliver(run, workflow, err);
    }
    err.flush();
    notify.tell(
        RunNotice.of(record, workflow.tasks().size(), failure == null ? "" : failure.inOneLine()),
        session.named() != null,
        err);
    new ClassArchive(System.getProperty(ClassArchive.MARK)).keep();
    return record.state() == RunState.SUCCEEDED ? 0 : 1;
  }
}

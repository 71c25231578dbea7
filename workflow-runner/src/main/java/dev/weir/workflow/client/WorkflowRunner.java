package dev.weir.workflow.client;

import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.fetch.SourceResolver;
import dev.weir.workflow.hdfs.DataDirectoryLock;
import dev.weir.workflow.hdfs.MountedHdfs;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationStates;
import dev.weir.workflow.yarn.ClusterResourcesReader;
import dev.weir.workflow.yarn.JavaContainer;
import dev.weir.workflow.yarn.UserKeytab;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Starts workflows on a cluster. Thread-safe. */
public final class WorkflowRunner {

  /** Name of the ApplicationMaster's main class in the runner's jar. */
  static final String MASTER_CLASS = "dev.weir.workflow.session.SessionMaster";

  private static final String APPLICATION_TYPE = "WEIR";

  /** The YARN types of applications with workers of Weir. */
  static final Set<String> APPLICATION_TYPES =
      Set.of(APPLICATION_TYPE, SessionStarter.APPLICATION_TYPE);

  /**
   * Longer than a broken ApplicationMaster needs to fail, even if YARN detects the failure only by
   * missing heartbeats. By default that takes 10 minutes.
   */
  private static final long FAILURES_COUNT_MILLIS = 3_600_000;

  private static final int MEBI_BITS = 20;

  static final String LARGER_WORKERS =
      "give workers more with --worker-cores and --worker-memory ("
          + WorkerPlan.OWN_MEGABYTES
          + " MiB of which a worker keeps for itself)";

  private final Configuration conf;
  private final List<Path> runnerJars;
  private final Clock clock = Clock.systemUTC();

  /**
   * Creates a runner.
   *
   * @param runnerJars the runner's and the hints' jars; containers have them on the class path
   *     before the cluster's own
   */
  public WorkflowRunner(Configuration conf, List<Path> runnerJars) {
    this.conf = new YarnConfiguration(conf);
    this.runnerJars = List.copyOf(runnerJars);
  }

  /**
   * Checks a request and starts it. If this throws, no trace of the run remains.
   *
   * @throws RunException when the request cannot be run as it is; the message says what to do
   */
  public RunHandle submit(RunRequest request) throws IOException, InterruptedException {
    return submit(request, run -> {});
  }

  /**
   * Checks a request and starts it. If this throws, no trace of the run remains.
   *
   * @param announced receives the run just before its first file is on the cluster, so that it can
   *     be killed from then on
   * @throws RunException when the request cannot be run as it is; the message says what to do
   */
  public RunHandle submit(RunRequest request, Consumer<RunHandle> announced)
      throws IOException, InterruptedException {
    requireCommands(request);
    if (!request.sizeByTasks()) {
      requireRoom(request, request.workers().size(), LARGER_WORKERS);
    }
    DistributedFileSystem fs = fileSystem(conf);
    ClusterProbe.toWrite(fs.getUri(), conf);
    String dataDir = MountedHdfs.pathIn(fs, request.dataDir());
    requireShortOrders(request.workflow(), dataDir);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      RunRequest resolved = resolved(request, fs, dataDir);
      RunRequest sized = resolved.sizeByTasks() ? sized(resolved, fs, yarn) : resolved;
      prepare(sized, new WorkflowInputs(fs, sized.workflow(), dataDir, clock));
      return start(new Start(sized, dataDir, announced), fs, yarn);
    } catch (YarnException e) {
      yarn.stop();
      throw new RunException("YARN refuses the run: " + e.getMessage(), e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      yarn.stop();
      throw e;
    }
  }

  /**
   * Returns the request with workers that have room for each task. Asks YARN only if a task needs
   * more than a worker of the request has.
   */
  static RunRequest sized(RunRequest request, DistributedFileSystem fs, YarnClient yarn)
      throws IOException, YarnException {
    WorkerPlan least = request.workers();
    if (request.standIn()) {
      return request.withWorkers(least);
    }
    TaskProfiles profiles =
        request.choices().ignoreNeeds()
            ? TaskProfiles.NONE
            : new TaskProfileStore(RunDirectories.own(fs)).read();
    if (!WorkerSizing.exceeds(least, request.workflow(), profiles)) {
      return request.withWorkers(least);
    }
    Resource most =
        yarn.createApplication().getNewApplicationResponse().getMaximumResourceCapability();
    List<WorkerSizing.Node> nodes =
        yarn.getNodeReports(NodeState.RUNNING).stream()
            .map(
                node ->
                    new WorkerSizing.Node(
                        node.getNodeId().getHost(),
                        node.getCapability().getVirtualCores(),
                        node.getCapability().getMemorySize()))
            .toList();
    WorkerSizing.Cluster cluster =
        new WorkerSizing.Cluster(
            nodes, most.getVirtualCores(), most.getMemorySize(), request.master().megabytes());
    return request.withWorkers(WorkerSizing.sized(least, request.workflow(), profiles, cluster));
  }

  /** Checks the sources of external inputs. */
  static RunRequest resolved(RunRequest request, DistributedFileSystem fs, String dataDir)
      throws IOException, InterruptedException {
    if (request.standIn()) {
      return request.with(SourceResolver.unread(request.workflow()));
    }
    return request.with(
        new SourceResolver(
                fs, dataDir, request.upload().orElse(null), request.sources().transfers())
            .resolve(request.workflow()));
  }

  /**
   * Checks the sources of inputs, for a session or a live run.
   *
   * @throws RunException if a URL has secret parts, because requests carry no secrets
   */
  static RunRequest resolvedForSession(RunRequest request, DistributedFileSystem fs, String dataDir)
      throws IOException, InterruptedException {
    RunRequest resolved = resolved(request, fs, dataDir);
    for (Task task : resolved.workflow().tasks()) {
      FetchCommand source = FetchCommand.of(task.command()).orElse(null);
      if (source != null && !source.secret().isEmpty()) {
        throw new RunException(
            "The source of '"
                + task.outputs().get(0)
                + "', "
                + source.url()
                + ", has a user or a query, which may be secret, and a session gets no secrets:"
                + " start a run of its own, without --session, or put the file into HDFS");
      }
    }
    return resolved;
  }

  /** Uploads or generates missing inputs as the request says, and checks that all exist. */
  static void prepare(RunRequest request, WorkflowInputs inputs)
      throws IOException, InterruptedException {
    if (!request.sources().local().isEmpty()) {
      inputs.upload(request.sources().local());
    }
    if (request.upload().isPresent()) {
      inputs.upload(request.upload().get());
    }
    if (request.standIn()) {
      inputs.makeMissing();
    }
    inputs.requireAll();
  }

  static void requireCommands(RunRequest request) throws RunException {
    for (Task task : request.workflow().tasks()) {
      if (request.standIn() && SubWorkflow.is(task.command())) {
        throw new RunException(
            "The task '"
                + task.id()
                + "' stands for a workflow that stand-ins cannot make: put the workflow beside the"
                + " file, or run without --stand-in");
      }
      if (task.command().isEmpty() && !task.joinsRegions() && !request.standIn()) {
        throw new RunException(
            "The task '"
                + task.id()
                + "' has no command: add one to the workflow, or run stand-ins with --stand-in");
      }
    }
  }

  /**
   * Refuses a task that fits no worker, because it would wait forever.
   *
   * @param remedy how to get larger workers
   */
  static void requireRoom(RunRequest request, WorkerSize size, String remedy) throws RunException {
    for (Task task : request.workflow().tasks()) {
      ResourceNeeds needs = ResourceNeeds.of(task.needs());
      if (!request.standIn() && !needs.needDedicatedWorker() && !size.fits(needs)) {
        throw new RunException(
            String.format(
                Locale.ROOT,
                "The task '%s' needs %d cores and %d MiB, and a worker has %d and %d MiB for its"
                    + " tasks; %s, correct the task, or ignore the declared needs with"
                    + " --ignore-needs",
                task.id(),
                needs.cores(),
                mebi(needs.memoryBytes()),
                size.cores(),
                mebi(size.memoryBytes()),
                remedy));
      }
    }
  }

  /**
   * Refuses a task with too long file names. One message to the worker contains all of them, and
   * one report.
   */
  static void requireShortOrders(Workflow workflow, String dataDir) throws RunException {
    for (Task task : workflow.tasks()) {
      long bytes = 0;
      for (List<String> files : List.of(task.inputs(), task.outputs())) {
        for (String file : files) {
          bytes += TaskOrder.nameBytes(file, dataDir);
        }
      }
      if (bytes > TaskOrder.MAX_NAME_BYTES) {
        throw new RunException(
            String.format(
                Locale.ROOT,
                "The task '%s' has %d inputs and %d outputs, whose names take about %d MiB in a"
                    + " message to its worker; at most %d MiB are possible: split the task, put its"
                    + " files into archives, or give them shorter names",
                task.id(),
                task.inputs().size(),
                task.outputs().size(),
                mebi(bytes),
                mebi(TaskOrder.MAX_NAME_BYTES)));
      }
    }
  }

  private static long mebi(long bytes) {
    return (bytes + (1 << MEBI_BITS) - 1) >> MEBI_BITS;
  }

  /**
   * Returns the cluster's HDFS.
   *
   * @return the default file system; by a mount table that of the home directory
   * @throws RunException if that is not HDFS
   */
  public static DistributedFileSystem fileSystem(Configuration conf) throws IOException {
    Optional<DistributedFileSystem> hdfs = MountedHdfs.ofHome(conf);
    if (hdfs.isPresent()) {
      return hdfs.get();
    }
    throw new RunException(
        "No HDFS cluster is configured, because the default file system is "
            + FileSystem.getDefaultUri(conf)
            + ": start a local cluster with 'weir cluster start', or set HADOOP_CONF_DIR to the"
            + " configuration of a cluster");
  }

  /** A request that has been checked. */
  record Start(RunRequest request, String dataDir, Consumer<RunHandle> announced) {}

  RunHandle start(Start start, DistributedFileSystem fs, YarnClient yarn)
      throws IOException, YarnException {
    RunRequest request = start.request();
    ClusterResourcesReader cluster = ClusterResourcesReader.ask(yarn);
    List<NodeReport> nodes = cluster.nodes();
    Submission submission = begin(request, cluster, yarn);
    WorkerPlan workers = submission.workers();
    ApplicationId id = submission.id();
    RunDirectories directories = RunDirectories.own(fs);
    directories.prune(clock.instant());
    new LeftKeytabs(fs, yarn, id, clock.instant()).deleteIfSecure();
    Staging staging = directories.directory(id.toString());
    DataDirectoryLock lock = lock(fs, start, id, id, yarn);
    RunHandle run =
        new RunHandle(
            id,
            request.workflow().tasks().size(),
            new RunHandle.Cluster(
                conf, yarn, staging, request.mode() == Mode.WEIR, clock, id, null));
    start.announced().accept(run);
    try {
      staging.create();
      org.apache.hadoop.fs.Path library = new SharedJars(fs, clock).put(runnerJars);
      JavaImage.ofThisProcess().resolve(conf, fs, clock);
      Map<String, String> settings =
          request.queue().addTo(request.master().addTo(settings(conf, request.replication())));
      RunPlan plan = plan(start, fs, workers, settings, racks(nodes));
      staging.writeJson(Staging.PLAN, plan);
      staging.writeJson(Staging.OTHERS, others(yarn, id));
      staging.writeJson(Staging.SUMMARY, RunSummary.of(id.toString(), plan, clock.instant()));
      ApplicationSubmissionContext master =
          submission.master(MASTER_CLASS, staging, library, request.secrets());
      request.queue().or(site(conf)).submit(described(master, request), "run", yarn);
      return run;
    } catch (IOException | YarnException | RuntimeException e) {
      staging.delete();
      lock.release(id.toString());
      throw e;
    }
  }

  private Submission begin(RunRequest request, ClusterResourcesReader cluster, YarnClient yarn)
      throws IOException, YarnException {
    int nodes = cluster.nodes().size();
    WorkerPlan counted =
        Submission.counted(request.workers(), cluster.nodes()).usefulFor(request.workflow(), nodes);
    List<Task> tasks = request.standIn() ? List.of() : request.workflow().tasks();
    int master = request.master().megabytes();
    Submission submission =
        Submission.begin(
            conf,
            yarn,
            request.master(),
            largest -> cluster.addTo(counted, tasks, largest, master));
    if (request.webhook() != null) {
      submission.with(request.webhook());
    }
    return submission;
  }

  /**
   * Locks the data directory for a run.
   *
   * @throws RunException when another run writes into the directory
   */
  static DataDirectoryLock lock(
      DistributedFileSystem fs,
      Start start,
      ApplicationId run,
      ApplicationId application,
      YarnClient yarn)
      throws IOException {
    DataDirectoryLock lock = new DataDirectoryLock(fs, start.dataDir());
    lock.take(
        new DataDirectoryLock.Holder(run.toString(), application.toString()),
        other ->
            !hasEnded(fs, other.run())
                && ApplicationStates.isLive(yarn, ApplicationId.fromString(other.application())));
    return lock;
  }

  /** Whether a run of this user has ended. A session outlives its runs. */
  private static boolean hasEnded(DistributedFileSystem fs, String run) throws IOException {
    try {
      return RunDirectories.own(fs).directory(run).readJson(Staging.SUMMARY, RunSummary.class).end()
          != null;
    } catch (FileNotFoundException | Staging.UnreadableException e) {
      return false;
    }
  }

  /**
   * Lists the other live applications for the ApplicationMaster. YARN lists applications only to
   * clients.
   */
  static Set<String> others(YarnClient yarn, ApplicationId own) throws IOException, YarnException {
    return yarn.getApplications(APPLICATION_TYPES, ApplicationStates.active()).stream()
        .map(ApplicationReport::getApplicationId)
        .filter(id -> !id.equals(own))
        .map(ApplicationId::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static RunPlan plan(
      Start start,
      DistributedFileSystem fs,
      WorkerPlan workers,
      Map<String, String> settings,
      Map<String, String> racks)
      throws IOException {
    RunRequest request = start.request();
    return new RunPlan(
        request.standIn() ? withoutNeeds(request.workflow()) : request.workflow(),
        request.mode(),
        fs.getUri().toString(),
        start.dataDir(),
        request.standIn(),
        workers,
        request.environment(),
        settings,
        UserGroupInformation.getCurrentUser().getShortUserName(),
        request.choices(),
        racks);
  }

  /**
   * Returns the rack of each node. YARN is asked because HDFS lists its nodes to superusers only.
   */
  static Map<String, String> racks(List<NodeReport> nodes) {
    Map<String, String> racks = new HashMap<>();
    nodes.forEach(node -> racks.put(node.getNodeId().getHost(), node.getRackName()));
    return racks;
  }

  /**
   * Returns a copy of the workflow whose tasks declare no needs. Stand-ins need no resources, and
   * the needs in a recording may differ from those of its tasks here.
   */
  public static Workflow withoutNeeds(Workflow workflow) {
    return new Workflow(
        workflow.name(),
        workflow.tasks().stream()
            .map(task -> task.withNeeds(task.needs().withoutResources()))
            .toList(),
        workflow.files());
  }

  /**
   * Returns a workflow whose tasks have a time limit.
   *
   * @param seconds the limit of tasks that declare none
   */
  public static Workflow withTimeLimit(Workflow workflow, long seconds) {
    return new Workflow(
        workflow.name(),
        workflow.tasks().stream()
            .map(task -> task.withNeeds(task.needs().orTimeLimit(seconds)))
            .toList(),
        workflow.files());
  }

  /**
   * Returns a workflow whose tasks run in a container.
   *
   * @param image the image of tasks that declare none
   * @throws IllegalArgumentException when it is no image
   */
  public static Workflow withContainer(Workflow workflow, String image) {
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    TaskNeeds.UNKNOWN
        .withContainer(image)
        .imageFile()
        .ifPresent(file -> files.putIfAbsent(file, DataFile.ofUnknownSize(file, "")));
    return new Workflow(
        workflow.name(),
        workflow.tasks().stream()
            .map(
                task ->
                    task.command().isEmpty()
                            || !task.needs().container().isEmpty()
                            || task.needs().containers() > 1
                            || FetchCommand.of(task.command()).isPresent()
                        ? task
                        : task.withNeeds(task.needs().withContainer(image)))
            .toList(),
        files);
  }

  /**
   * Returns the client's settings that the containers need.
   *
   * @throws IllegalArgumentException when a range of ports is invalid
   */
  static Map<String, String> settings(Configuration conf, int replication) {
    Map<String, String> settings = new HashMap<>();
    if (replication > 0) {
      settings.put(HdfsClientConfigKeys.DFS_REPLICATION_KEY, Integer.toString(replication));
    }
    Configuration site = site(conf);
    for (String key : List.of(PortRange.MASTER_KEY, PortRange.WORKER_KEY)) {
      PortRange unused = PortRange.of(site, key);
    }
    for (String key :
        List.of(
            HintSettings.QUORUM_KEY,
            HintSettings.ROOT_KEY,
            StoreAccess.OPEN_KEY,
            ClientSettings.URL_KEY,
            JavaContainer.ARCHIVE_KEY,
            PortRange.MASTER_KEY,
            PortRange.WORKER_KEY,
            RunPlan.MAX_ADDED_KEY)) {
      String value = site.getTrimmed(key);
      if (value != null) {
        settings.put(key, value);
      }
    }
    UserKeytab.ofClient(conf)
        .ifPresent(keytab -> settings.put(UserKeytab.PRINCIPAL_KEY, keytab.principal()));
    return settings;
  }

  /** Returns the configuration with Weir's own file. */
  static Configuration site(Configuration conf) {
    Configuration site = new Configuration(conf);
    site.addResource(ClientSettings.SITE_FILE);
    return site;
  }

  private static ApplicationSubmissionContext described(
      ApplicationSubmissionContext context, RunRequest request) {
    context.setApplicationName(request.workflow().name() + " (" + request.mode().label() + ")");
    context.setApplicationType(APPLICATION_TYPE);
    // A run may take weeks: failures far apart do not count together.
    context.setAttemptFailuresValidityInterval(FAILURES_COUNT_MILLIS);
    // The workers survive and connect to the next ApplicationMaster with their current attempts.
    context.setKeepContainersAcrossApplicationAttempts(true);
    return context;
  }
}

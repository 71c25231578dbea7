package dev.weir.workflow.client;

import dev.weir.workflow.hdfs.DataDirectoryLock;
import dev.weir.workflow.hdfs.MountedHdfs;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.RunStatus;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationStates;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/**
 * Submits a workflow to a running session. Its workers wait already, so the client determines the
 * latency. The client contacts HDFS, YARN and the session concurrently from the moment it is
 * opened, and does no work that the run does not need. Not thread-safe.
 */
public final class SessionSubmitter implements AutoCloseable {

  /** Stands for the user's only session. */
  public static final String AUTO = "auto";

  /** After this time without an answer, {@link ClusterProbe} checks the cluster. */
  private static final long PROBE_AFTER_MILLIS = 2_000;

  private static final int SERVER_ERROR = 500;

  private final Configuration conf;
  private final Clock clock = Clock.systemUTC();
  private final ExecutorService background =
      Executors.newCachedThreadPool(SessionSubmitter::daemon);
  private final Future<YarnAnswers> yarnAnswers;
  private final Future<DistributedFileSystem> hdfs;
  private final Future<Found> found;

  /** Whether a submitted run uses the YARN client. */
  private boolean clientInUse;

  /**
   * Starts to look for a session.
   *
   * @param yarn creates a YARN client that is not started
   */
  SessionSubmitter(Configuration conf, String named, Supplier<YarnClient> yarn, Duration timeout) {
    this.conf = conf;
    yarnAnswers = background.submit(() -> ask(yarn.get(), conf));
    hdfs = background.submit(() -> WorkflowRunner.fileSystem(conf));
    found = background.submit(() -> find(named, timeout));
    background.execute(JobClient::prepare);
  }

  /**
   * Starts to look for a session. Errors are reported when a run is submitted.
   *
   * @param named name or id of a session of the user's, or {@link #AUTO}; or a live run, to whose
   *     session the new one is added
   * @return a submitter, to be closed
   */
  public static SessionSubmitter open(Configuration conf, String named) {
    return new SessionSubmitter(
        conf instanceof YarnConfiguration ? conf : new YarnConfiguration(conf),
        named,
        YarnClient::createYarnClient,
        JobClient.PATIENCE);
  }

  /**
   * The answers of YARN.
   *
   * @param client the open YARN client
   * @param live the live applications of Weir, of all users
   */
  private record YarnAnswers(YarnClient client, ApplicationId run, List<ApplicationReport> live) {}

  /**
   * The selected session.
   *
   * @param name its name, or that of the workflow with which it began
   * @param session its client; null for the session of a run
   * @param first directory of the run with which it began; null for another session
   */
  private record Found(
      ApplicationId id,
      String name,
      SessionStatus.Offer offer,
      @Nullable RunSession session,
      @Nullable Staging first) {}

  /**
   * Checks a request and submits it to a session. If this throws, no trace of the run remains
   * unless the message says so.
   *
   * @param given the request; the session determines its workers and the memory of its
   *     ApplicationMaster
   * @param announced receives the run just before its first file is on the cluster, so that it can
   *     be killed from then on
   * @return the run, which the session has accepted
   * @throws RunException if there is no such session, or it refuses the run, or does not answer;
   *     the message says what to do
   */
  public RunHandle submit(RunRequest given, Consumer<RunHandle> announced)
      throws IOException, InterruptedException {
    WorkflowRunner.requireCommands(given);
    ClusterProbe.requireTicket(
        UserGroupInformation.isSecurityEnabled(), UserGroupInformation.getCurrentUser());
    DistributedFileSystem fs = result(hdfs);
    // Reads all configuration files again, which takes time.
    Future<Map<String, String>> settings =
        background.submit(() -> WorkflowRunner.settings(conf, given.replication()));
    String dataDir = MountedHdfs.pathIn(fs, given.dataDir());
    RunRequest request = WorkflowRunner.resolvedForSession(given, fs, dataDir);
    WorkflowRunner.requireShortOrders(request.workflow(), dataDir);
    WorkflowInputs inputs = new WorkflowInputs(fs, request.workflow(), dataDir, clock);
    boolean copies =
        request.upload().isPresent() || request.standIn() || !request.sources().local().isEmpty();
    Future<Boolean> checked =
        background.submit(
            () -> {
              if (!copies) {
                inputs.requireAll();
              }
              return true;
            });
    YarnAnswers cluster = await(yarnAnswers, fs);
    Found session = await(found, fs);
    requireRoom(request, session);
    boolean unused = await(checked, fs);
    if (copies) {
      // Uploads only after a session that can run the workflow was found.
      WorkflowRunner.prepare(request, inputs);
    }
    WorkflowRunner.Start start = new WorkflowRunner.Start(request, dataDir, announced);
    RunHandle run = submit(new Checked(start, fs, result(settings)), cluster, session);
    clientInUse = true;
    return run;
  }

  /**
   * Loads classes that a submission needs, for a class data archive. Its Hadoop classes are loaded
   * by other runs as well.
   *
   * @return number of classes named here; many more are loaded with them
   */
  public static int load() {
    JobClient.prepare();
    return List.of(
            RunSession.Wait.class,
            StagedSessionLocator.class,
            Sessions.Session.class,
            SessionEndpoint.class,
            RunStatus.class,
            SessionStatus.Offer.class,
            YarnAnswers.class,
            Found.class,
            Checked.class)
        .size();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "submit");
    thread.setDaemon(true);
    return thread;
  }

  /** Stops background work. A submitted run continues. */
  @Override
  public void close() {
    background.shutdownNow();
    if (clientInUse || !yarnAnswers.isDone()) {
      return;
    }
    try {
      yarnAnswers.get().client().stop();
    } catch (ExecutionException e) {
      // There is no client to stop.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static YarnAnswers ask(YarnClient client, Configuration conf) throws IOException {
    try {
      client.init(conf);
      client.start();
      return ask(client);
    } catch (YarnException e) {
      client.stop();
      throw new RunException("YARN refuses the run: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      client.stop();
      throw e;
    }
  }

  private static YarnAnswers ask(YarnClient client) throws IOException, YarnException {
    List<ApplicationReport> live =
        client.getApplications(WorkflowRunner.APPLICATION_TYPES, ApplicationStates.active());
    ApplicationId run =
        client.createApplication().getApplicationSubmissionContext().getApplicationId();
    return new YarnAnswers(client, run, live);
  }

  /**
   * Waits for an answer. If none comes in time, checks the cluster, because Hadoop's clients retry
   * for long.
   */
  private <T> T await(Future<T> answer, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    try {
      return result(answer, PROBE_AFTER_MILLIS);
    } catch (TimeoutException e) {
      ClusterProbe.toWrite(fs.getUri(), conf);
      return result(answer);
    }
  }

  private static <T> T result(Future<T> answer) throws IOException, InterruptedException {
    try {
      return result(answer, Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new IllegalStateException("The timeout has no limit", e);
    }
  }

  private static <T> T result(Future<T> answer, long millis)
      throws IOException, InterruptedException, TimeoutException {
    try {
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof JobException refusal) {
        throw new RunException(String.valueOf(refusal.getMessage()), e);
      }
      if (cause instanceof IOException failure) {
        throw failure;
      }
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(cause);
    }
  }

  /** Finds the session. One that is named by its id needs no request to YARN. */
  private Found find(String named, Duration timeout) throws IOException, InterruptedException {
    ApplicationId id = RunName.full(named);
    RunDirectories runs = RunDirectories.own(result(hdfs));
    if (id == null) {
      List<Sessions.Session> live = Sessions.own(result(yarnAnswers).live());
      boolean isSession = live.stream().anyMatch(one -> one.name().equals(named));
      Optional<ApplicationId> run =
          named.equals(AUTO) || isSession ? Optional.empty() : RunName.one(runs.ids(), named);
      id = run.isPresent() ? run.get() : Sessions.choose(live, named.equals(AUTO) ? "" : named);
    }
    Staging run = runs.directory(id.toString());
    if (run.number(Staging.SUMMARY) != 0) {
      id = ApplicationId.fromString(run.readJson(Staging.SUMMARY, RunSummary.class).application());
      Staging first = runs.directory(id.toString());
      if (first.number(Staging.SUMMARY) != 0) {
        return sessionOfRun(id, first);
      }
    }
    JobClient client =
        new JobClient(new StagedSessionLocator(result(hdfs), this::yarn, id), timeout, clock);
    SessionStatus status = client.session();
    return new Found(id, status.name(), status.offer(), new RunSession(id, client), null);
  }

  /** The session with which a run began, and which takes more runs until it ends. */
  private Found sessionOfRun(ApplicationId id, Staging first) throws IOException {
    if (!ApplicationStates.isLive(yarn(), id)) {
      throw new RunException(
          "The run " + id + " has ended, and its session with it: leave --session out");
    }
    RunPlan plan = first.readJson(Staging.PLAN, RunPlan.class);
    SessionStatus.Offer offer =
        new SessionStatus.Offer(
            plan.mode().label(),
            plan.workers().count(),
            plan.workers().cores(),
            plan.workers().megabytes());
    return new Found(id, plan.workflow().name(), offer, null, first);
  }

  private YarnClient yarn() throws IOException {
    try {
      return result(yarnAnswers).client();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while YARN was yarnAnswers", e);
    }
  }

  private static void requireRoom(RunRequest request, Found found) throws RunException {
    SessionStatus.Offer offer = found.offer();
    WorkflowRunner.requireRoom(
        request,
        new WorkerSize(offer.cores(), WorkerPlan.taskBytes(offer.megabytes()), WorkerSize.AHEAD),
        String.format(
            Locale.ROOT,
            "its session is %s (%s): start a session with larger workers by 'weir session start"
                + " --worker-cores N --worker-memory MIB' (%d MiB of which a worker keeps for"
                + " itself)",
            found.name(),
            found.id(),
            WorkerPlan.OWN_MEGABYTES));
  }

  /** A checked request and the settings of the client that the run needs. */
  private record Checked(
      WorkflowRunner.Start start, DistributedFileSystem fs, Map<String, String> settings) {}

  private RunHandle submit(Checked checked, YarnAnswers cluster, Found session)
      throws IOException, InterruptedException {
    RunRequest request = checked.start().request();
    DistributedFileSystem fs = checked.fs();
    String id = cluster.run().toString();
    RunDirectories directories = RunDirectories.own(fs);
    Staging staging = directories.directory(id);
    DataDirectoryLock lock =
        WorkflowRunner.lock(fs, checked.start(), cluster.run(), session.id(), cluster.client());
    RunHandle run =
        new RunHandle(
            cluster.run(),
            request.workflow().tasks().size(),
            new RunHandle.Cluster(
                conf,
                cluster.client(),
                staging,
                request.mode() == Mode.WEIR,
                clock,
                session.id(),
                session.session()));
    checked.start().announced().accept(run);
    try {
      stage(checked, cluster, session, staging);
    } catch (IOException | InterruptedException | RuntimeException e) {
      staging.delete();
      lock.release(id);
      ClusterProbe.requireWritable(fs);
      throw e;
    }
    try {
      submit(run, cluster, session, staging);
    } catch (RunException e) {
      boolean isRefused = staging.number(Staging.PLAN) == 0;
      if (isRefused) {
        lock.release(id);
      }
      throw e;
    }
    // Pruned last, because the first task need not wait for it.
    directories.prune(clock.instant());
    new LeftKeytabs(fs, cluster.client(), cluster.run(), clock.instant()).deleteIfSecure();
    return run;
  }

  /** Writes the files of a run. */
  private void stage(Checked checked, YarnAnswers cluster, Found session, Staging staging)
      throws IOException, InterruptedException {
    staging.create();
    RunPlan plan = plan(checked, session.offer());
    RunSummary summary =
        RunSummary.of(cluster.run().toString(), plan, clock.instant()).in(session.id().toString());
    Future<Boolean> written =
        background.submit(
            () -> {
              staging.writeJson(Staging.SUMMARY, summary);
              return true;
            });
    staging.writeJson(Staging.PLAN, plan);
    // Requested now, because a run that is not among them counts as killed before this plan.
    staging.writeJson(Staging.OTHERS, others(cluster));
    boolean unused = result(written);
  }

  private void submit(RunHandle run, YarnAnswers cluster, Found session, Staging staging)
      throws IOException, InterruptedException {
    RunSession client = session.session();
    Staging first = session.first();
    if (client != null) {
      submit(run, client, staging);
    } else if (first != null) {
      new RunAdder(first, session.id(), cluster.client(), clock).submit(run, staging);
    }
  }

  private static Set<String> others(YarnAnswers cluster) throws IOException {
    try {
      return WorkflowRunner.others(cluster.client(), cluster.run());
    } catch (YarnException e) {
      throw new RunException("YARN does not list the live applications: " + e.getMessage(), e);
    }
  }

  /** The workers are the session's, and the session knows their racks. */
  private static RunPlan plan(Checked checked, SessionStatus.Offer offer) throws IOException {
    return WorkflowRunner.plan(
        checked.start(),
        checked.fs(),
        new WorkerPlan(offer.mostWorkers(), offer.cores(), offer.megabytes(), WorkerSize.AHEAD),
        checked.start().request().queue().addTo(checked.settings()),
        Map.of());
  }

  /** Submits the run. A session that does not answer may have accepted it, or accept it later. */
  private static void submit(RunHandle run, RunSession session, Staging staging)
      throws IOException, InterruptedException {
    try {
      session.client().submitRun(run.id());
    } catch (JobException e) {
      if (e.status() >= SERVER_ERROR) {
        throw unknown(run, session, e);
      }
      staging.delete();
      throw new RunException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw unknown(run, session, e);
    } catch (InterruptedException e) {
      run.abandon("its client was interrupted when it submitted the run");
      throw e;
    }
  }

  private static RunException unknown(RunHandle run, RunSession session, IOException e)
      throws IOException {
    run.abandon("its session did not answer when the run was submitted");
    return new RunException(
        ("The session %s does not answer (%s). If it has accepted the run %s, it "
                + "ends the run as soon as it can; see 'weir session status' and 'weir "
                + "status %s'")
            .formatted(session.id(), e.getMessage(), run.id(), run.id()),
        e);
  }
}

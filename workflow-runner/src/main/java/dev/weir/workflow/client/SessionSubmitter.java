package dev.weir.workflow.client;

import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.RunClient;
import dev.weir.workflow.jobs.RunStatus;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.scheduler.WorkerSize;
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

/**
 * Gives a workflow to a session that is up. Its workers wait already, so what takes time is this
 * client: HDFS, YARN and the session are asked at the same time, from the moment when this is
 * opened, and nothing is made that such a run does not need. One thread at a time.
 */
public final class SessionSubmitter implements AutoCloseable {

  /** Names the only session that the user has. */
  public static final String AUTO = "auto";

  /** A cluster that has not answered by then is looked at by {@link ClusterProbe}. */
  private static final long SILENCE_MILLIS = 2_000;

  private static final int SERVER_ERROR = 500;

  private final Configuration conf;
  private final Clock clock = Clock.systemUTC();
  private final ExecutorService background =
      Executors.newCachedThreadPool(SessionSubmitter::daemon);
  private final Future<Asked> asked;
  private final Future<DistributedFileSystem> hdfs;
  private final Future<Found> found;

  /** Whether a run needs the client of YARN further on. */
  private boolean given;

  private SessionSubmitter(
      Configuration conf, String named, Supplier<YarnClient> yarn, Duration patience) {
    this.conf = conf;
    asked = background.submit(() -> ask(yarn.get(), conf));
    hdfs = background.submit(() -> WorkflowRunner.fileSystem(conf));
    found = background.submit(() -> find(named, patience));
    background.execute(RunClient::prepare);
  }

  /**
   * Begins to look for a session. What goes wrong is said when a run is submitted.
   *
   * @param conf how to reach the cluster
   * @param named name or id of a session of the user's, or {@link #AUTO}
   * @return a submitter, to be closed
   */
  public static SessionSubmitter open(Configuration conf, String named) {
    return open(
        conf instanceof YarnConfiguration ? conf : new YarnConfiguration(conf),
        named,
        YarnClient::createYarnClient,
        JobClient.PATIENCE);
  }

  /**
   * The same.
   *
   * @param yarn makes a client of YARN, not started
   * @param patience how long a session may not answer
   */
  static SessionSubmitter open(
      Configuration conf, String named, Supplier<YarnClient> yarn, Duration patience) {
    return new SessionSubmitter(conf, named, yarn, patience);
  }

  /**
   * What YARN says.
   *
   * @param client of YARN, which is open
   * @param run the id that it has given to the run
   * @param live the applications of Weir that go on, of all users
   */
  private record Asked(YarnClient client, ApplicationId run, List<ApplicationReport> live) {}

  /** The session that is meant, and how it is. */
  private record Found(RunSession session, SessionStatus status) {}

  /**
   * Checks a request and gives it to a session. Nothing of it is left when this throws, unless the
   * message says so.
   *
   * @param request what to run; its workers and the memory of its ApplicationMaster are the
   *     session's
   * @param announced hears of the run just before anything of it is on the cluster, so that it can
   *     be killed from then on
   * @return the run, which the session has taken
   * @throws RunException when there is no such session, or it refuses the run, or does not answer;
   *     the message says what to do
   * @throws IOException when the cluster cannot be reached
   * @throws InterruptedException when the thread is interrupted
   */
  public RunHandle submit(RunRequest request, Consumer<RunHandle> announced)
      throws IOException, InterruptedException {
    WorkflowRunner.requireCommands(request);
    ClusterProbe.requireTicket(
        UserGroupInformation.isSecurityEnabled(), UserGroupInformation.getCurrentUser());
    DistributedFileSystem fs = result(hdfs);
    // Reads all files of settings once more, which takes its time.
    Future<Map<String, String>> settings =
        background.submit(() -> WorkflowRunner.settings(conf, request.replication()));
    String dataDir = WorkflowRunner.dataDir(fs, request.dataDir());
    WorkflowRunner.requireShortOrders(request.workflow(), dataDir);
    InputUpload inputs = new InputUpload(fs, request.workflow(), dataDir, clock);
    boolean copies = request.upload().isPresent() || request.standIn();
    Future<Boolean> checked =
        background.submit(
            () -> {
              if (!copies) {
                inputs.requireAll();
              }
              return true;
            });
    Asked cluster = first(asked, fs);
    Found session = first(found, fs);
    requireRoom(request, session);
    boolean unused = first(checked, fs);
    if (copies) {
      // Not before it is known that there is a session that can run it.
      WorkflowRunner.prepare(request, inputs);
    }
    WorkflowRunner.Start start = new WorkflowRunner.Start(request, dataDir, announced);
    RunHandle run = give(new Checked(start, fs, result(settings)), cluster, session);
    given = true;
    return run;
  }

  /**
   * Loads classes that a submission needs, for an archive of classes that is to have them. What it
   * needs of Hadoop other runs need, too.
   *
   * @return how many were named here; many more are loaded with them
   */
  public static int load() {
    RunClient.prepare();
    return List.of(
            RunSession.Wait.class,
            StagedSessionLocator.class,
            Sessions.Session.class,
            SessionEndpoint.class,
            RunStatus.State.class,
            SessionStatus.Offer.class,
            Asked.class,
            Found.class,
            Checked.class)
        .size();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "submit");
    thread.setDaemon(true);
    return thread;
  }

  /** Stops what still goes on; a run that was submitted does so. */
  @Override
  public void close() {
    background.shutdownNow();
    if (given || !asked.isDone()) {
      return;
    }
    try {
      asked.get().client().stop();
    } catch (ExecutionException e) {
      // It has no client.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Asked ask(YarnClient client, Configuration conf) throws IOException {
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

  private static Asked ask(YarnClient client) throws IOException, YarnException {
    List<ApplicationReport> live =
        client.getApplications(WorkflowRunner.APPLICATION_TYPES, ApplicationStates.active());
    ApplicationId run =
        client.createApplication().getApplicationSubmissionContext().getApplicationId();
    return new Asked(client, run, live);
  }

  /** Waits for an answer; a cluster that is silent is found out about, for Hadoop tries on. */
  private <T> T first(Future<T> answer, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    try {
      return result(answer, SILENCE_MILLIS);
    } catch (TimeoutException e) {
      ClusterProbe.toWrite(fs.getUri(), conf);
      return result(answer);
    }
  }

  private static <T> T result(Future<T> answer) throws IOException, InterruptedException {
    try {
      return result(answer, Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Nobody waits for so long", e);
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

  /** One that is named by its id is found without YARN. */
  private Found find(String named, Duration patience) throws IOException, InterruptedException {
    ApplicationId id = RunName.full(named);
    if (id == null) {
      List<Sessions.Session> live = Sessions.own(result(asked).live());
      id = Sessions.choose(live, named.equals(AUTO) ? "" : named);
    }
    RunClient client =
        new RunClient(new StagedSessionLocator(result(hdfs), this::yarn, id), patience, clock);
    return new Found(new RunSession(id, client), client.session());
  }

  private YarnClient yarn() throws IOException {
    try {
      return result(asked).client();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while YARN was asked", e);
    }
  }

  private static void requireRoom(RunRequest request, Found found) throws RunException {
    SessionStatus.Offer offer = found.status().offer();
    WorkflowRunner.requireRoom(
        request,
        new WorkerSize(offer.cores(), WorkerPlan.taskBytes(offer.megabytes()), WorkerSize.AHEAD),
        String.format(
            Locale.ROOT,
            "its session is %s (%s): start a session with larger workers by 'weir session start"
                + " --worker-cores N --worker-memory MIB' (%d MiB of which a worker keeps for"
                + " itself)",
            found.status().name(),
            found.session().id(),
            WorkerPlan.OWN_MEGABYTES));
  }

  /** A request that has been checked, and what of the client's configuration goes with it. */
  private record Checked(
      WorkflowRunner.Start start, DistributedFileSystem fs, Map<String, String> settings) {}

  private RunHandle give(Checked checked, Asked cluster, Found session)
      throws IOException, InterruptedException {
    RunRequest request = checked.start().request();
    DistributedFileSystem fs = checked.fs();
    String id = cluster.run().toString();
    RunDirectories directories = RunDirectories.own(fs);
    Staging staging = directories.directory(id);
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
                session.session()));
    checked.start().announced().accept(run);
    try {
      staging.create();
      RunPlan plan = plan(checked, session.status().offer());
      RunSummary summary =
          RunSummary.of(id, plan, clock.instant()).in(session.session().id().toString());
      Future<Boolean> written = write(staging, Staging.SUMMARY, summary);
      staging.writeJson(Staging.PLAN, plan);
      // Asked now: a run that goes on and is not among them counts as killed before the plan.
      staging.writeJson(Staging.OTHERS, others(cluster));
      boolean unused = result(written);
    } catch (IOException | InterruptedException | RuntimeException e) {
      staging.delete();
      ClusterProbe.requireWritable(fs);
      throw e;
    }
    submit(run, session.session(), staging);
    // Not before: it is no part of what the first task waits for.
    directories.prune();
    return run;
  }

  private Future<Boolean> write(Staging staging, String name, Object value) {
    return background.submit(
        () -> {
          staging.writeJson(name, value);
          return true;
        });
  }

  private static Set<String> others(Asked cluster) throws IOException {
    try {
      return WorkflowRunner.others(
          cluster
              .client()
              .getApplications(WorkflowRunner.APPLICATION_TYPES, ApplicationStates.active()),
          cluster.run());
    } catch (YarnException e) {
      throw new RunException("YARN does not say what goes on: " + e.getMessage(), e);
    }
  }

  /** Its workers are the session's, which knows their racks itself. */
  private static RunPlan plan(Checked checked, SessionStatus.Offer offer) throws IOException {
    return WorkflowRunner.plan(
        checked.start(),
        checked.fs(),
        new WorkerPlan(offer.mostWorkers(), offer.cores(), offer.megabytes(), WorkerSize.AHEAD),
        checked.start().request().queue().addTo(checked.settings()),
        Map.of());
  }

  /** A session that does not answer may have taken the run, or take it yet. */
  private static void submit(RunHandle run, RunSession session, Staging staging)
      throws IOException, InterruptedException {
    try {
      session.client().submit(run.id());
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
        "The session "
            + session.id()
            + " does not answer ("
            + e.getMessage()
            + "). If it has taken the run "
            + run.id()
            + " it ends it as soon as it can; see 'weir session status' and 'weir status "
            + run.id()
            + "'",
        e);
  }
}

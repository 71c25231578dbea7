package dev.weir.workflow.client;

import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a user: the current ones and the last ones that ended. Works on any machine that
 * reaches HDFS and YARN. Not thread-safe.
 */
public final class Runs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final YarnClient yarn;
  private final String user;
  private final Clock clock;

  Runs(Configuration conf, DistributedFileSystem fs, YarnClient yarn, Clock clock)
      throws IOException {
    this.conf = conf;
    this.fs = fs;
    this.yarn = yarn;
    this.user = UserGroupInformation.getCurrentUser().getShortUserName();
    this.clock = clock;
  }

  /**
   * Opens the runs on a cluster.
   *
   * @param given how to reach the cluster
   * @return the runs; to be closed
   * @throws RunException if HDFS or YARN does not answer within seconds, or the default file system
   *     is not HDFS
   * @throws IOException if another error occurs
   */
  public static Runs on(Configuration given) throws IOException {
    Configuration conf = new YarnConfiguration(given);
    DistributedFileSystem fs = WorkflowRunner.fileSystem(conf);
    ClusterProbe.toRead(fs.getUri(), conf);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    return new Runs(conf, fs, yarn, Clock.systemUTC());
  }

  /**
   * Lists the current user's runs.
   *
   * @return the newest first
   */
  public List<RunView> list() throws IOException {
    Map<ApplicationId, YarnApplicationState> live = new HashMap<>();
    try {
      // One request for all runs.
      for (ApplicationReport report :
          yarn.getApplications(
              WorkflowRunner.APPLICATION_TYPES, EnumSet.allOf(YarnApplicationState.class))) {
        live.put(report.getApplicationId(), report.getYarnApplicationState());
      }
    } catch (YarnException e) {
      throw new RunException("YARN does not list the applications: " + e.getMessage(), e);
    }
    RunDirectories directories = RunDirectories.own(fs);
    List<RunView> views = new ArrayList<>();
    for (ApplicationId id : directories.ids()) {
      Staging directory = directories.directory(id.toString());
      try {
        views.add(view(directory, live::get));
      } catch (FileNotFoundException | Staging.UnreadableException e) {
        LOG.debug("{} is not a run's directory", directory.directory(), e);
      }
    }
    return views;
  }

  /**
   * Finds a run.
   *
   * @param name its id, a prefix of its id, its number, or {@code last}
   * @throws SteeringException if no run or several runs match, or it is another user's
   */
  public KnownRun find(String name) throws IOException {
    RunDirectories own = RunDirectories.own(fs);
    ApplicationId full = RunName.full(name);
    List<ApplicationId> known = own.ids();
    ApplicationId id = full == null ? RunName.among(known, name) : full;
    ApplicationReport report = report(id);
    // YARN does not know the runs of sessions, which only their owners find.
    String owner = known.contains(id) || report == null ? user : report.getUser();
    RunDirectories directories = owner.equals(user) ? own : RunDirectories.of(fs, owner);
    Staging directory = directories.directory(id.toString());
    try {
      directory.readJson(Staging.SUMMARY, RunSummary.class);
    } catch (FileNotFoundException e) {
      throw new SteeringException(
          Kind.NOT_FOUND,
          "There is no run " + id + (report == null ? "" : " of weir's") + ": see 'weir runs'",
          e);
    } catch (AccessControlException e) {
      throw new SteeringException(
          Kind.REFUSED,
          ("%s is a run of %s, and you are %s: only its owner and superusers of HDFS may view"
                  + " and steer it")
              .formatted(id, owner, user),
          e);
    }
    return new KnownRun(id, directory, this);
  }

  /** Returns YARN's state of an application; null if YARN does not know it. */
  interface States {
    @Nullable YarnApplicationState of(ApplicationId application) throws IOException;
  }

  RunView view(Staging directory, States states) throws IOException {
    RunSummary summary = directory.readJson(Staging.SUMMARY, RunSummary.class);
    RunProgress progress = readIfPresent(directory, Staging.STATUS, RunProgress.class);
    RunFailure failure = readIfPresent(directory, Staging.FAILURE, RunFailure.class);
    RunSummary.End end = summary.end();
    boolean paused = progress != null && progress.details().paused();
    Stage stage =
        end == null
            ? Stage.of(states.of(ApplicationId.fromString(summary.application())), paused)
            : Stage.of(end.state());
    return new RunView(summary, stage, progress, failure);
  }

  private static <T> @Nullable T readIfPresent(Staging directory, String file, Class<T> type)
      throws IOException {
    try {
      return directory.readJson(file, type);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Returns YARN's state of an application; null if YARN does not know it. */
  @Nullable YarnApplicationState state(ApplicationId id) throws IOException {
    ApplicationReport report = report(id);
    return report == null ? null : report.getYarnApplicationState();
  }

  /** Returns YARN's report of an application; null if YARN does not know it. */
  private @Nullable ApplicationReport report(ApplicationId id) throws IOException {
    try {
      return yarn.getApplicationReport(id);
    } catch (ApplicationNotFoundException e) {
      return null;
    } catch (YarnException e) {
      throw new RunException("YARN says nothing about " + id + ": " + e.getMessage(), e);
    }
  }

  /** Returns a handle like that of the client which submitted the run. */
  RunHandle handle(ApplicationId id, Staging directory, RunSummary summary) throws IOException {
    boolean hinted = summary.mode().equals(Mode.WEIR.label());
    return new RunHandle(
        id,
        summary.tasks(),
        new RunHandle.Cluster(
            conf,
            yarn,
            directory,
            hinted,
            clock,
            ApplicationId.fromString(summary.application()),
            session(directory, summary)));
  }

  private @Nullable RunSession session(Staging directory, RunSummary summary) throws IOException {
    Staging first = RunDirectories.containing(directory).directory(summary.application());
    if (summary.session().isEmpty() || first.number(Staging.SUMMARY) != 0) {
      return null;
    }
    ApplicationId id = ApplicationId.fromString(summary.session());
    return new RunSession(
        id, new JobClient(new StagedSessionLocator(fs, () -> yarn, id), JobClient.PATIENCE, clock));
  }

  Configuration conf() {
    return conf;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  YarnClient yarn() {
    return yarn;
  }

  Clock clock() {
    return clock;
  }

  /** Closes the connection to YARN. */
  @Override
  public void close() {
    yarn.stop();
  }
}

package dev.weir.workflow.client;

import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.SessionPlan;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.ApplicationStates;
import dev.weir.workflow.yarn.ClusterResourcesReader;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts sessions. Thread-safe. */
public final class SessionStarter {

  private static final Logger LOG = LoggerFactory.getLogger(SessionStarter.class);

  /** YARN's name for applications that are sessions. */
  public static final String APPLICATION_TYPE = "WEIR-SESSION";

  private static final long FAILURES_COUNT_MILLIS = 600_000;

  private final Configuration conf;
  private final List<Path> runnerJars;

  /**
   * Creates a starter.
   *
   * @param runnerJars the runner's and the hints' jars
   */
  public SessionStarter(Configuration conf, List<Path> runnerJars) {
    this.conf = new YarnConfiguration(conf);
    this.runnerJars = List.copyOf(runnerJars);
  }

  /**
   * A request for a session.
   *
   * @param mode how placement and scheduling use knowledge about files
   * @param workers the most workers, and how many stay idle
   * @param replication replicas of outputs without a hint; 0 for the cluster's default
   * @param master memory of its ApplicationMaster
   * @param queue its YARN queue and its priority there
   * @param secrets values of the secrets to which its runs and jobs may refer
   */
  public record Request(
      String name,
      Mode mode,
      WorkerPlan workers,
      int replication,
      MasterMemory master,
      ApplicationRequest queue,
      TaskSecrets secrets) {

    /** Validates the components. */
    public Request {
      if (name.isBlank() || replication < 0) {
        throw new IllegalArgumentException(
            "A session has the name '" + name + "' and the replication " + replication);
      }
    }
  }

  /**
   * Starts a session. It runs until it is stopped.
   *
   * @return the session's id: that of its YARN application
   * @throws RunException when the cluster cannot run it; the message says what to do
   */
  public String start(Request request) throws IOException {
    DistributedFileSystem fs = WorkflowRunner.fileSystem(conf);
    ClusterProbe.toWrite(fs.getUri(), conf);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      return submit(request, fs, yarn).toString();
    } catch (YarnException e) {
      throw new RunException("YARN refuses the session: " + e.getMessage(), e);
    }
  }

  ApplicationId submit(Request request, DistributedFileSystem fs, YarnClient yarn)
      throws IOException, YarnException {
    ClusterResourcesReader cluster = ClusterResourcesReader.ask(yarn);
    List<NodeReport> nodes = cluster.nodes();
    WorkerPlan counted = Submission.counted(request.workers(), nodes);
    int master = request.master().megabytes();
    Submission submission =
        Submission.begin(
            conf,
            yarn,
            request.master(),
            largest -> cluster.addTo(counted, List.of(), largest, master));
    WorkerPlan workers = submission.workers();
    ApplicationId id = submission.id();
    new LeftKeytabs(fs, yarn, id, Clock.systemUTC().instant()).deleteIfSecure();
    Staging staging = staging(fs, id);
    try {
      staging.create();
      org.apache.hadoop.fs.Path library = new SharedJars(fs, Clock.systemUTC()).put(runnerJars);
      JavaImage.ofThisProcess().resolve(conf, fs, Clock.systemUTC());
      staging.writeJson(
          Staging.SESSION,
          new SessionPlan(
              request.name(),
              request.mode(),
              fs.getUri().toString(),
              workers,
              WorkflowRunner.settings(conf, request.replication()),
              UserGroupInformation.getCurrentUser().getShortUserName(),
              WorkflowRunner.racks(nodes)));
      staging.writeJson(Staging.ENDED, endedIfKnown(fs, yarn));
      request
          .queue()
          .or(WorkflowRunner.site(conf))
          .submit(
              described(
                  submission.master(
                      WorkflowRunner.MASTER_CLASS, staging, library, request.secrets()),
                  request),
              "session",
              yarn);
      return id;
    } catch (IOException | RuntimeException e) {
      staging.delete();
      throw e;
    }
  }

  /** Returns {@link #ended}, or an empty list if that fails. A session can run without it. */
  static List<String> endedIfKnown(DistributedFileSystem fs, YarnClient yarn) {
    try {
      return ended(fs, yarn);
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.warn("Cannot list the sessions that have ended; their files are not removed now", e);
      return List.of();
    }
  }

  /**
   * Returns the user's sessions that have ended and left a directory, because they were killed. The
   * client asks because YARN lists applications only to clients, not to ApplicationMasters.
   */
  static List<String> ended(DistributedFileSystem fs, YarnClient yarn)
      throws IOException, YarnException {
    Set<String> left = new HashSet<>();
    for (FileStatus directory : fs.listStatus(sessions(fs))) {
      left.add(directory.getPath().getName());
    }
    return yarn.getApplications(Set.of(APPLICATION_TYPE), ApplicationStates.ended()).stream()
        .map(application -> application.getApplicationId().toString())
        .filter(left::contains)
        .toList();
  }

  /**
   * Returns the staging directory of a session of the current user. Only the user may read it.
   *
   * @return the directory, whether it exists or not
   */
  public static Staging staging(DistributedFileSystem fs, ApplicationId session) {
    return new Staging(fs, new org.apache.hadoop.fs.Path(sessions(fs), session.toString()));
  }

  private static org.apache.hadoop.fs.Path sessions(DistributedFileSystem fs) {
    return new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), ".weir/sessions");
  }

  private static ApplicationSubmissionContext described(
      ApplicationSubmissionContext context, Request request) {
    context.setApplicationName(request.name());
    context.setApplicationType(APPLICATION_TYPE);
    // Sessions are long: failures far apart do not count together.
    context.setAttemptFailuresValidityInterval(FAILURES_COUNT_MILLIS);
    // The workers survive and connect to the next ApplicationMaster with their current attempts.
    context.setKeepContainersAcrossApplicationAttempts(true);
    return context;
  }
}

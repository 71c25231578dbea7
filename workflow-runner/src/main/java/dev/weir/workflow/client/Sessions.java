package dev.weir.workflow.client;

import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.yarn.ApplicationStates;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The sessions of the current user. Any thread may use it. */
public final class Sessions implements AutoCloseable {

  private final DistributedFileSystem fs;
  private final YarnClient yarn;

  private Sessions(DistributedFileSystem fs, YarnClient yarn) {
    this.fs = fs;
    this.yarn = yarn;
  }

  /**
   * A session.
   *
   * @param id its id
   * @param name what its owner calls it
   * @param state what YARN says of it
   * @param startedMillis when it was started, in milliseconds since the epoch
   */
  public record Session(String id, String name, String state, long startedMillis) {}

  /**
   * The sessions of a cluster.
   *
   * @param conf how to reach it
   * @return the sessions
   * @throws IOException when the cluster's default file system is no HDFS
   */
  public static Sessions open(Configuration conf) throws IOException {
    Configuration cluster = new YarnConfiguration(conf);
    DistributedFileSystem fs = WorkflowRunner.fileSystem(cluster);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(cluster);
    yarn.start();
    return new Sessions(fs, yarn);
  }

  /**
   * Lists those that are alive.
   *
   * @return the newest first
   * @throws IOException when YARN does not answer
   */
  public List<Session> list() throws IOException {
    GetApplicationsRequest wanted =
        GetApplicationsRequest.newInstance(
            Set.of(SessionStarter.APPLICATION_TYPE), ApplicationStates.active());
    wanted.setUsers(Set.of(UserGroupInformation.getCurrentUser().getShortUserName()));
    try {
      return own(yarn.getApplications(wanted));
    } catch (YarnException e) {
      throw new RunException("YARN says nothing about sessions: " + e.getMessage(), e);
    }
  }

  /**
   * Finds the session that somebody means.
   *
   * @param named its id or its name; empty for the only one that there is
   * @return its id
   * @throws RunException when there is none, or more than one
   * @throws IOException when YARN does not answer
   */
  public String find(String named) throws IOException {
    return named.startsWith("application_") ? named : choose(list(), named).toString();
  }

  /**
   * The current user's sessions among applications.
   *
   * @return the newest first
   */
  static List<Session> own(List<ApplicationReport> applications) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return applications.stream()
        .filter(report -> SessionStarter.APPLICATION_TYPE.equals(report.getApplicationType()))
        .filter(report -> user.equals(report.getUser()))
        .sorted(Comparator.comparing(ApplicationReport::getApplicationId).reversed())
        .map(
            report ->
                new Session(
                    report.getApplicationId().toString(),
                    report.getName(),
                    report.getYarnApplicationState().toString(),
                    report.getStartTime()))
        .toList();
  }

  /**
   * The session that a user means.
   *
   * @param live the user's sessions that go on
   * @param named the name of one; empty for the only one
   * @throws RunException when there is none, or more than one; it lists them
   */
  static ApplicationId choose(List<Session> live, String named) throws RunException {
    List<Session> meant =
        live.stream().filter(one -> named.isEmpty() || one.name().equals(named)).toList();
    if (meant.size() == 1) {
      return ApplicationId.fromString(meant.get(0).id());
    }
    if (live.isEmpty()) {
      throw new RunException(
          "You have no session"
              + (named.isEmpty() ? "" : " called '" + named + "'")
              + ": start one with 'weir session start'");
    }
    String which =
        meant.isEmpty() ? "You have no session called '" + named + "', but " : "You have ";
    throw new RunException(
        which
            + (meant.isEmpty() ? live : meant)
                .stream()
                    .map(one -> one.id() + " ('" + one.name() + "')")
                    .collect(Collectors.joining(", "))
            + ": name one of them with --session ID"
            + (meant.isEmpty() ? ", or start another with 'weir session start'" : ""));
  }

  /**
   * A client of a session; good for as long as this is open.
   *
   * @param id the session's id
   * @param patience how long the session may not answer
   * @return the client
   * @throws RunException when it is no id
   */
  public JobClient client(String id, Duration patience) throws IOException {
    ApplicationId application = parse(id);
    return new JobClient(
        new StagedSessionLocator(fs, () -> yarn, application), patience, Clock.systemUTC());
  }

  private static ApplicationId parse(String id) throws RunException {
    try {
      return ApplicationId.fromString(id);
    } catch (IllegalArgumentException e) {
      throw new RunException("'" + id + "' is no session's id: see 'weir session list'", e);
    }
  }

  /**
   * Ends a session that does not answer. What its jobs have left is removed by the next session,
   * which its journal tells what that is.
   *
   * @param id its id
   * @throws IOException when YARN or HDFS does not answer
   */
  public void kill(String id) throws IOException {
    ApplicationId application = parse(id);
    try {
      yarn.killApplication(application);
      fs.delete(SessionStarter.staging(fs, application).file(Staging.ENDPOINT), false);
    } catch (YarnException e) {
      throw new RunException("YARN does not kill " + id + ": " + e.getMessage(), e);
    }
  }

  /**
   * The cluster's HDFS.
   *
   * @return the file system, shared with others of this process
   */
  public FileSystem fileSystem() {
    return fs;
  }

  /**
   * Where a directory is.
   *
   * @param directory its path, absolute or relative to the home directory
   * @return absolute, without scheme
   */
  public String resolve(String directory) {
    return fs.makeQualified(new Path(null, null, directory)).toUri().getPath();
  }

  @Override
  public void close() {
    yarn.stop();
  }
}

package dev.weir.workflow.client;

import dev.weir.workflow.hdfs.MountedHdfs;
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
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The sessions of the current user. Thread-safe. */
public final class Sessions implements AutoCloseable {

  private final DistributedFileSystem fs;
  private final YarnClient yarn;

  private Sessions(DistributedFileSystem fs, YarnClient yarn) {
    this.fs = fs;
    this.yarn = yarn;
  }

  /**
   * A live session.
   *
   * @param state its state in YARN
   * @param startedMillis its start, in milliseconds since the epoch
   */
  public record Session(String id, String name, String state, long startedMillis) {}

  /**
   * Opens the sessions of a cluster.
   *
   * @throws IOException if the cluster's default file system is not HDFS
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
   * Lists the live sessions.
   *
   * @return the newest first
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
   * Finds a session.
   *
   * @param named its id or its name; empty for the only one
   * @return its id
   * @throws RunException when there is none, or more than one
   */
  public String find(String named) throws IOException {
    return named.startsWith("application_") ? named : choose(list(), named).toString();
  }

  /**
   * Returns the current user's sessions among applications.
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
   * Returns the session with the given name.
   *
   * @param live the user's live sessions
   * @param named the name; empty for the only session
   * @throws RunException if none or several match; the message lists them
   */
  static ApplicationId choose(List<Session> live, String named) throws RunException {
    List<Session> matches =
        live.stream().filter(one -> named.isEmpty() || one.name().equals(named)).toList();
    if (matches.size() == 1) {
      return ApplicationId.fromString(matches.get(0).id());
    }
    if (live.isEmpty()) {
      throw new RunException(
          "You have no session"
              + (named.isEmpty() ? "" : " called '" + named + "'")
              + ": start one with 'weir session start'");
    }
    String which =
        matches.isEmpty() ? "You have no session called '" + named + "', but " : "You have ";
    throw new RunException(
        which
            + (matches.isEmpty() ? live : matches)
                .stream()
                    .map(one -> one.id() + " ('" + one.name() + "')")
                    .collect(Collectors.joining(", "))
            + ": name one of them with --session ID"
            + (matches.isEmpty() ? ", or start another with 'weir session start'" : ""));
  }

  /**
   * Creates a client of a session. It is usable while this is open.
   *
   * @throws RunException if it is not an id
   */
  public JobClient client(String id, Duration timeout) throws IOException {
    ApplicationId application = parse(id);
    return new JobClient(
        new StagedSessionLocator(fs, () -> yarn, application), timeout, Clock.systemUTC());
  }

  private static ApplicationId parse(String id) throws RunException {
    try {
      return ApplicationId.fromString(id);
    } catch (IllegalArgumentException e) {
      throw new RunException("'" + id + "' is not a session's id: see 'weir session list'", e);
    }
  }

  /**
   * Kills a session that does not answer. The next session reads its journal and removes the files
   * of its jobs.
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
   * Returns the cluster's HDFS.
   *
   * @return the file system, shared with others of this process
   */
  public FileSystem fileSystem() {
    return fs;
  }

  /**
   * Resolves the path of a directory.
   *
   * @param directory absolute, or relative to the home directory
   * @return absolute path without scheme
   * @throws RunException if the client's mount table has it in another file system
   */
  public String resolve(String directory) throws IOException {
    return MountedHdfs.pathIn(fs, directory);
  }

  @Override
  public void close() {
    yarn.stop();
  }
}

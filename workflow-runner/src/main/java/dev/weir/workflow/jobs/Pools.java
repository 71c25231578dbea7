package dev.weir.workflow.jobs;

import dev.weir.workflow.run.ApplicationStates;
import dev.weir.workflow.run.MasterMemory;
import dev.weir.workflow.run.PoolStarter;
import dev.weir.workflow.run.RunException;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.run.WorkflowRunner;
import java.io.FileNotFoundException;
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
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The pools of the current user. Any thread may use it. */
public final class Pools implements AutoCloseable {

  private static final int GONE = 410;

  private final DistributedFileSystem fs;
  private final YarnClient yarn;

  private Pools(DistributedFileSystem fs, YarnClient yarn) {
    this.fs = fs;
    this.yarn = yarn;
  }

  /**
   * A pool.
   *
   * @param id its id
   * @param name what its owner calls it
   * @param state what YARN says of it
   * @param startedMillis when it was started, in milliseconds since the epoch
   */
  public record Pool(String id, String name, String state, long startedMillis) {}

  /**
   * The pools of a cluster.
   *
   * @param conf how to reach it
   * @return the pools
   * @throws IOException when the cluster's default file system is no HDFS
   */
  public static Pools open(Configuration conf) throws IOException {
    Configuration cluster = new YarnConfiguration(conf);
    DistributedFileSystem fs = WorkflowRunner.fileSystem(cluster);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(cluster);
    yarn.start();
    return new Pools(fs, yarn);
  }

  /**
   * Lists those that are alive.
   *
   * @return the newest first
   * @throws IOException when YARN does not answer
   */
  public List<Pool> list() throws IOException {
    GetApplicationsRequest wanted =
        GetApplicationsRequest.newInstance(
            Set.of(PoolStarter.APPLICATION_TYPE), ApplicationStates.goingOn());
    wanted.setUsers(Set.of(UserGroupInformation.getCurrentUser().getShortUserName()));
    try {
      return yarn.getApplications(wanted).stream()
          .sorted(Comparator.comparing(ApplicationReport::getApplicationId).reversed())
          .map(
              report ->
                  new Pool(
                      report.getApplicationId().toString(),
                      report.getName(),
                      report.getYarnApplicationState().toString(),
                      report.getStartTime()))
          .toList();
    } catch (YarnException e) {
      throw new RunException("YARN says nothing about pools: " + e.getMessage(), e);
    }
  }

  /**
   * Finds the pool that somebody means.
   *
   * @param named its id or its name; empty for the only one that there is
   * @return its id
   * @throws RunException when there is none, or more than one
   * @throws IOException when YARN does not answer
   */
  public String find(String named) throws IOException {
    if (named.startsWith("application_")) {
      return named;
    }
    List<Pool> pools =
        list().stream().filter(pool -> named.isEmpty() || pool.name().equals(named)).toList();
    if (pools.isEmpty()) {
      throw new RunException(
          (named.isEmpty() ? "You have no pool" : "You have no pool called '" + named + "'")
              + ": start one with 'weir pool start'");
    }
    if (pools.size() > 1) {
      throw new RunException(
          "Which pool? Name one of "
              + pools.stream().map(Pool::id).collect(Collectors.joining(", "))
              + " with --pool, or in WEIR_POOL");
    }
    return pools.get(0).id();
  }

  /**
   * A client of a pool; good for as long as this is open.
   *
   * @param id the pool's id
   * @param patience how long the pool may not answer
   * @return the client
   * @throws RunException when it is no id
   */
  public JobClient client(String id, Duration patience) throws IOException {
    ApplicationId application = parse(id);
    return new JobClient(new Lookup(application), patience, Clock.systemUTC());
  }

  private static ApplicationId parse(String id) throws RunException {
    try {
      return ApplicationId.fromString(id);
    } catch (IllegalArgumentException e) {
      throw new RunException("'" + id + "' is no pool's id: see 'weir pool ls'", e);
    }
  }

  /**
   * Ends a pool that does not answer. What its jobs have left is removed by the next pool, which
   * its journal tells what that is.
   *
   * @param id its id
   * @throws IOException when YARN or HDFS does not answer
   */
  public void kill(String id) throws IOException {
    ApplicationId application = parse(id);
    try {
      yarn.killApplication(application);
      fs.delete(PoolStarter.staging(fs, application).file(Staging.ENDPOINT), false);
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

  /** Where the pool's ApplicationMaster said it is. */
  private final class Lookup implements PoolChannel.Endpoints {

    private final ApplicationId pool;

    Lookup(ApplicationId pool) {
      this.pool = pool;
    }

    @Override
    public PoolEndpoint find() throws IOException {
      try {
        return PoolStarter.staging(fs, pool).readJson(Staging.ENDPOINT, PoolEndpoint.class);
      } catch (FileNotFoundException e) {
        throw new IOException("The pool " + pool + " takes no jobs yet", e);
      }
    }

    @Override
    public void requireAlive() throws IOException {
      try {
        ApplicationReport report = yarn.getApplicationReport(pool);
        if (ApplicationStates.isOver(report.getYarnApplicationState())) {
          throw new JobException(
              GONE,
              "The pool "
                  + pool
                  + " has ended ("
                  + report.getYarnApplicationState()
                  + "): start another with 'weir pool start'. "
                  + report.getDiagnostics().strip()
                  + MasterMemory.remedy(report.getDiagnostics()));
        }
      } catch (ApplicationNotFoundException e) {
        throw new JobException(GONE, "YARN knows no pool " + pool + ": see 'weir pool ls'");
      } catch (YarnException e) {
        throw new IOException("YARN says nothing about " + pool + ": " + e.getMessage(), e);
      }
    }
  }
}

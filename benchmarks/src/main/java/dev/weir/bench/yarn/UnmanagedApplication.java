package dev.weir.bench.yarn;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An application whose ApplicationMaster is this process. It requests containers with Hadoop's
 * client and starts no processes in them. Not thread-safe.
 */
final class UnmanagedApplication implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 60;
  private static final long POLL_MILLIS = 200;

  private final AMRMClient<ContainerRequest> client;

  private UnmanagedApplication(AMRMClient<ContainerRequest> client) {
    this.client = client;
  }

  /**
   * Submits an application and registers its ApplicationMaster.
   *
   * @throws IOException if it is not accepted within a minute
   */
  static UnmanagedApplication start(Configuration conf, YarnClient yarn, String name)
      throws IOException, YarnException, InterruptedException {
    ApplicationSubmissionContext submission =
        yarn.createApplication().getApplicationSubmissionContext();
    ApplicationId id = submission.getApplicationId();
    submission.setApplicationName(name);
    submission.setUnmanagedAM(true);
    submission.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(), Map.of(), null, Map.of()));
    submission.setResource(Resource.newInstance(1024, 1));
    submission.setMaxAppAttempts(1);
    yarn.submitApplication(submission);
    awaitToken(yarn, id);
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getCurrentUser().getShortUserName());
    user.addToken(yarn.getAMRMToken(id));
    return user.doAs(
        (PrivilegedExceptionAction<UnmanagedApplication>)
            () -> {
              AMRMClient<ContainerRequest> client = AMRMClient.createAMRMClient();
              client.init(conf);
              client.start();
              client.registerApplicationMaster("localhost", 0, "");
              return new UnmanagedApplication(client);
            });
  }

  private static void awaitToken(YarnClient yarn, ApplicationId id)
      throws IOException, YarnException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (yarn.getApplicationReport(id).getYarnApplicationState() != YarnApplicationState.ACCEPTED
        || yarn.getAMRMToken(id) == null) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            id
                + " is not accepted after "
                + DEADLINE_SECONDS
                + " s: see the log of resourcemanager");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  AMRMClient<ContainerRequest> client() {
    return client;
  }

  @Override
  public void close() throws IOException {
    try {
      client.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
    } catch (YarnException e) {
      throw new IOException("Cannot unregister", e);
    } finally {
      client.stop();
    }
  }
}

package dev.weir.it.yarn;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/**
 * An application whose ApplicationMaster is this test: it asks for containers with Hadoop's own
 * client and starts nothing in them.
 */
final class TestApplication implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final Resource SMALL = Resource.newInstance(256, 1);
  private static final Resource TINY = Resource.newInstance(128, 1);

  private final YarnClient yarn;
  private final ApplicationId id;
  private final AMRMClient<ContainerRequest> client;

  private TestApplication(YarnClient yarn, ApplicationId id, AMRMClient<ContainerRequest> client) {
    this.yarn = yarn;
    this.id = id;
    this.client = client;
  }

  static TestApplication start(Configuration conf) throws Exception {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    ApplicationSubmissionContext submission =
        yarn.createApplication().getApplicationSubmissionContext();
    ApplicationId id = submission.getApplicationId();
    submission.setApplicationName("weir-it");
    submission.setUnmanagedAM(true);
    submission.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(), Map.of(), null, Map.of()));
    submission.setResource(SMALL);
    submission.setMaxAppAttempts(1);
    yarn.submitApplication(submission);
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                yarn.getApplicationReport(id).getYarnApplicationState()
                        == YarnApplicationState.ACCEPTED
                    && yarn.getAMRMToken(id) != null);
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getCurrentUser().getShortUserName());
    user.addToken(yarn.getAMRMToken(id));
    AMRMClient<ContainerRequest> client =
        user.doAs(
            (PrivilegedExceptionAction<AMRMClient<ContainerRequest>>)
                () -> {
                  AMRMClient<ContainerRequest> made = AMRMClient.createAMRMClient();
                  made.init(conf);
                  made.start();
                  made.registerApplicationMaster("localhost", 0, "");
                  return made;
                });
    return new TestApplication(yarn, id, client);
  }

  /**
   * Asks for one container near files and waits for it; it is given back at the next call. The
   * client takes no name with a slash for a host, but passes any for a rack.
   */
  Container askNear(String files) throws Exception {
    return ask(new ContainerRequest(SMALL, null, new String[] {files}, Priority.newInstance(1)));
  }

  /** Asks for one container on a host and waits for it. */
  Container askOn(String host) throws Exception {
    return ask(new ContainerRequest(SMALL, new String[] {host}, null, Priority.newInstance(2)));
  }

  private Container ask(ContainerRequest request) throws Exception {
    client.addContainerRequest(request);
    List<Container> given = new ArrayList<>();
    await()
        .atMost(DEADLINE)
        .until(
            () -> {
              given.addAll(client.allocate(0.1f).getAllocatedContainers());
              return !given.isEmpty();
            });
    client.removeContainerRequest(request);
    // One heartbeat more: whatever was given too much would come with it.
    given.addAll(client.allocate(0.1f).getAllocatedContainers());
    given.forEach(container -> client.releaseAssignedContainer(container.getId()));
    client.allocate(0.1f);
    if (given.size() != 1) {
      throw new IOException("asked for 1 container and got " + given);
    }
    return given.get(0);
  }

  /**
   * Asks for containers, each with an id of its own and near files of its own, waits until all are
   * there and gives them back.
   *
   * @param files what each names; null names nothing
   * @return milliseconds from the heartbeat that asked to the one that brought the last
   */
  double wave(int containers, IntFunction<@Nullable String> files) throws Exception {
    List<ContainerRequest> requests = new ArrayList<>();
    for (int i = 0; i < containers; i++) {
      String name = files.apply(i);
      ContainerRequest request =
          ContainerRequest.newBuilder()
              .capability(TINY)
              .priority(Priority.newInstance(3))
              .allocationRequestId(i + 1L)
              .racks(name == null ? null : new String[] {name})
              .build();
      client.addContainerRequest(request);
      requests.add(request);
    }
    List<Container> given = new ArrayList<>();
    long begin = System.nanoTime();
    await()
        .atMost(DEADLINE)
        .pollInterval(HEARTBEAT)
        .until(
            () -> {
              given.addAll(client.allocate(0.1f).getAllocatedContainers());
              return given.size() >= containers;
            });
    double millis = (System.nanoTime() - begin) / 1e6;
    requests.forEach(client::removeContainerRequest);
    given.addAll(client.allocate(0.1f).getAllocatedContainers());
    given.forEach(container -> client.releaseAssignedContainer(container.getId()));
    client.allocate(0.1f);
    if (given.size() != containers) {
      throw new IOException("asked for " + containers + " containers and got " + given);
    }
    return millis;
  }

  @Override
  public void close() throws IOException, YarnException {
    client.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
    client.stop();
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                EnumSet.of(
                        YarnApplicationState.FINISHED,
                        YarnApplicationState.FAILED,
                        YarnApplicationState.KILLED)
                    .contains(yarn.getApplicationReport(id).getYarnApplicationState()));
    yarn.stop();
  }
}

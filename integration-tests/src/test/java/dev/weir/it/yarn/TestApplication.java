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
 * An application whose ApplicationMaster is this test. It requests containers with Hadoop's own
 * client and starts nothing in them.
 */
public final class TestApplication implements AutoCloseable {
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

  /** Submits it to the default queue and registers its ApplicationMaster. */
  public static TestApplication start(Configuration conf) throws Exception {
    return start(conf, "default");
  }

  /** Submits it to a queue and registers its ApplicationMaster. */
  public static TestApplication start(Configuration conf, String queue) throws Exception {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    ApplicationSubmissionContext submission =
        yarn.createApplication().getApplicationSubmissionContext();
    ApplicationId id = submission.getApplicationId();
    submission.setApplicationName("weir-it");
    submission.setQueue(queue);
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
                  AMRMClient<ContainerRequest> created = AMRMClient.createAMRMClient();
                  created.init(conf);
                  created.start();
                  created.registerApplicationMaster("localhost", 0, "");
                  return created;
                });
    return new TestApplication(yarn, id, client);
  }

  /**
   * Requests one container near files, waits for it and releases it. The client accepts any rack
   * name, but no host name with a slash.
   */
  public Container askNear(String files) throws Exception {
    return ask(new ContainerRequest(SMALL, null, new String[] {files}, Priority.newInstance(1)));
  }

  /** Requests one container on a host, waits for it and releases it. */
  Container askOn(String host) throws Exception {
    return ask(new ContainerRequest(SMALL, new String[] {host}, null, Priority.newInstance(2)));
  }

  private Container ask(ContainerRequest request) throws Exception {
    Container allocated = hold(request);
    release(allocated);
    return allocated;
  }

  /** Requests one container anywhere, and waits for it. */
  public Container hold(Resource size) throws Exception {
    return hold(new ContainerRequest(size, null, null, Priority.newInstance(4)));
  }

  /** Requests one container on a host and nowhere else, and waits for it. */
  public Container holdOn(String host, Resource size) throws Exception {
    return hold(
        new ContainerRequest(size, new String[] {host}, null, Priority.newInstance(5), false));
  }

  private Container hold(ContainerRequest request) throws Exception {
    client.addContainerRequest(request);
    List<Container> allocated = new ArrayList<>();
    await()
        .atMost(DEADLINE)
        .until(
            () -> {
              allocated.addAll(client.allocate(0.1f).getAllocatedContainers());
              return !allocated.isEmpty();
            });
    client.removeContainerRequest(request);
    // One more heartbeat, which would report excess containers.
    allocated.addAll(client.allocate(0.1f).getAllocatedContainers());
    if (allocated.size() != 1) {
      throw new IOException("asked for 1 container and got " + allocated);
    }
    return allocated.get(0);
  }

  /** Gives a container back. */
  public void release(Container container) throws Exception {
    client.releaseAssignedContainer(container.getId());
    client.allocate(0.1f);
  }

  /**
   * Requests containers, each with its own id and files, waits for all and releases them.
   *
   * @param files the name of files of each request; null for none
   * @return milliseconds from the first heartbeat to the one that reported the last container
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
    List<Container> allocated = new ArrayList<>();
    long begin = System.nanoTime();
    await()
        .atMost(DEADLINE)
        .pollInterval(HEARTBEAT)
        .until(
            () -> {
              allocated.addAll(client.allocate(0.1f).getAllocatedContainers());
              return allocated.size() >= containers;
            });
    double millis = (System.nanoTime() - begin) / 1e6;
    requests.forEach(client::removeContainerRequest);
    allocated.addAll(client.allocate(0.1f).getAllocatedContainers());
    allocated.forEach(container -> client.releaseAssignedContainer(container.getId()));
    client.allocate(0.1f);
    if (allocated.size() != containers) {
      throw new IOException("asked for " + containers + " containers and got " + allocated);
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

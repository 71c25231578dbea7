package dev.weir.bench.yarn;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.util.Records;

/** An ApplicationMaster that calls the ResourceManager's service without a network. */
final class SimulatedMaster {
  private final ResourceManager manager;
  private final UserGroupInformation user;
  private int responses;

  private SimulatedMaster(ResourceManager manager, UserGroupInformation user) {
    this.manager = manager;
    this.user = user;
  }

  /** Submits an application and registers its ApplicationMaster. */
  static SimulatedMaster start(ResourceManager manager)
      throws IOException, YarnException, InterruptedException {
    ApplicationId id =
        manager
            .getClientRMService()
            .getNewApplication(GetNewApplicationRequest.newInstance())
            .getApplicationId();
    manager
        .getClientRMService()
        .submitApplication(SubmitApplicationRequest.newInstance(submission(id)));
    RMApp app = Objects.requireNonNull(manager.getRMContext().getRMApps().get(id));
    SimulatedCluster.await(() -> launched(app), id + " to be launched");
    RMAppAttempt attempt = app.getCurrentAppAttempt();
    ApplicationAttemptId attemptId = attempt.getAppAttemptId();
    UserGroupInformation user = UserGroupInformation.createRemoteUser(attemptId.toString());
    user.addTokenIdentifier(attempt.getAMRMToken().decodeIdentifier());
    user.doAs(
        (PrivilegedExceptionAction<Object>)
            () ->
                manager
                    .getApplicationMasterService()
                    .registerApplicationMaster(
                        RegisterApplicationMasterRequest.newInstance("", 0, "")));
    return new SimulatedMaster(manager, user);
  }

  private static ApplicationSubmissionContext submission(ApplicationId id) {
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    submission.setApplicationId(id);
    submission.setApplicationName("simulated");
    submission.setQueue("default");
    submission.setPriority(Priority.newInstance(0));
    submission.setUnmanagedAM(true);
    submission.setResource(Resource.newInstance(SimulatedCluster.CONTAINER_MB, 1));
    submission.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(), Map.of(), null, Map.of()));
    submission.setMaxAppAttempts(1);
    return submission;
  }

  private static boolean launched(RMApp app) {
    RMAppAttempt attempt = app.getCurrentAppAttempt();
    return attempt != null
        && attempt.getAppAttemptState() == RMAppAttemptState.LAUNCHED
        && attempt.getAMRMToken() != null;
  }

  /** Sends one heartbeat and returns its containers. */
  List<Container> heartbeat(List<ResourceRequest> asks, List<ContainerId> released)
      throws IOException, InterruptedException {
    AllocateRequest request = AllocateRequest.newInstance(responses++, 0, asks, released, null);
    return user.doAs(
        (PrivilegedExceptionAction<List<Container>>)
            () -> manager.getApplicationMasterService().allocate(request).getAllocatedContainers());
  }
}

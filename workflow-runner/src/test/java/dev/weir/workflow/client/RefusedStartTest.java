package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.ContainerTokens;
import dev.weir.workflow.yarn.MasterMemory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.Test;

/** A refused start requests no tokens. */
class RefusedStartTest {

  private static final Task TASK = new Task("a", "t", List.of("true"), List.of(), List.of(), 1);

  private final Configuration conf = new Configuration(false);
  private final List<String> asked = new ArrayList<>();

  RefusedStartTest() {
    conf.setBoolean(ContainerTokens.ALWAYS_KEY, true);
  }

  /** An HDFS client that records requests for tokens. */
  private final class GivingHdfs extends DistributedFileSystem {
    @Override
    public URI getUri() {
      return URI.create("hdfs://nn");
    }

    @Override
    public String getCanonicalServiceName() {
      return "nn";
    }

    @Override
    public Token<DelegationTokenIdentifier> getDelegationToken(String renewer) {
      asked.add(renewer);
      return new Token<>();
    }
  }

  /** A cluster with containers of 100 MiB at most. */
  private static final class SmallYarn extends YarnClientImpl {
    @Override
    public List<ResourceTypeInfo> getResourceTypeInfo() {
      return ResourceUtils.getResourcesTypeInfo();
    }

    @Override
    public List<NodeReport> getNodeReports(NodeState... states) {
      return List.of();
    }

    @Override
    public YarnClientApplication createApplication() {
      GetNewApplicationResponse largest = Records.newRecord(GetNewApplicationResponse.class);
      largest.setMaximumResourceCapability(Resource.newInstance(100, 1));
      ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
      context.setApplicationId(ApplicationId.newInstance(1, 1));
      return new YarnClientApplication(largest, context);
    }
  }

  @Test
  void runWithTooLargeWorkersRequestsNoTokens() throws Exception {
    RunRequest request =
        RunRequest.builder(new Workflow("test", List.of(TASK), Map.of()), "/data")
            .workers(WorkerPlan.DEFAULT.withCount(1))
            .build();
    try (GivingHdfs fs = new GivingHdfs();
        SmallYarn yarn = new SmallYarn()) {
      assertThatThrownBy(
              () ->
                  new WorkflowRunner(conf, List.of())
                      .start(new WorkflowRunner.Start(request, "/data", run -> {}), fs, yarn))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("more than YARN gives");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void sessionWithTooLargeWorkersRequestsNoTokens() throws Exception {
    SessionStarter.Request request =
        new SessionStarter.Request(
            "session",
            Mode.STOCK,
            WorkerPlan.DEFAULT.withCount(1),
            0,
            MasterMemory.DEFAULT,
            ApplicationRequest.DEFAULT,
            TaskSecrets.NONE);
    try (GivingHdfs fs = new GivingHdfs();
        SmallYarn yarn = new SmallYarn()) {
      assertThatThrownBy(() -> new SessionStarter(conf, List.of()).submit(request, fs, yarn))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("more than YARN gives");
    }
    assertThat(asked).isEmpty();
  }
}

package dev.weir.workflow.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the submission context of an ApplicationMaster: its memory, queue and retries. */
class SubmittedMasterTest {

  private static final Task TASK = new Task("a", "t", List.of("true"), List.of(), List.of(), 1);
  private static final ApplicationId ID = ApplicationId.newInstance(1, 1);
  private static final WorkerPlan ONE = WorkerPlan.DEFAULT.withCount(1);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final Configuration conf = new Configuration(false);
  @TempDir private Path temp;
  private List<Path> jars = List.of();

  @BeforeEach
  void makeJar() throws IOException {
    jars = List.of(Files.writeString(temp.resolve("runner.jar"), "jar"));
  }

  /** A YARN client that accepts all applications and runs none. */
  private static final class TakingYarn extends YarnClientImpl {

    private @Nullable ApplicationSubmissionContext taken;
    private @Nullable String refusal;
    private List<NodeReport> nodes = List.of();

    @Override
    public List<ResourceTypeInfo> getResourceTypeInfo() {
      return ResourceUtils.getResourcesTypeInfo();
    }

    @Override
    public List<NodeReport> getNodeReports(NodeState... states) {
      return nodes;
    }

    @Override
    public List<ApplicationReport> getApplications(
        Set<String> types, EnumSet<YarnApplicationState> states) {
      return List.of();
    }

    @Override
    public ApplicationReport getApplicationReport(ApplicationId application) throws YarnException {
      throw new ApplicationNotFoundException("YARN has forgotten " + application);
    }

    @Override
    public YarnClientApplication createApplication() {
      GetNewApplicationResponse largest = Records.newRecord(GetNewApplicationResponse.class);
      largest.setMaximumResourceCapability(Resource.newInstance(8192, 8));
      ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
      context.setApplicationId(ID);
      return new YarnClientApplication(largest, context);
    }

    @Override
    public ApplicationId submitApplication(ApplicationSubmissionContext context)
        throws YarnException {
      if (refusal != null) {
        throw new YarnException(refusal);
      }
      taken = context;
      return context.getApplicationId();
    }

    @Override
    public List<QueueInfo> getAllQueues() {
      QueueInfo queue = Records.newRecord(QueueInfo.class);
      queue.setQueuePath("root.default");
      return List.of(queue);
    }

    void assertTook(ApplicationRequest queue) {
      ApplicationSubmissionContext context = requireNonNull(taken);
      assertThat(context.getQueue()).isEqualTo(queue.queue());
      Priority priority = context.getPriority();
      assertThat(priority == null ? null : priority.getPriority()).isEqualTo(queue.priority());
    }

    void assertOutlivesItsMaster(Duration deaths) {
      ApplicationSubmissionContext context = requireNonNull(taken);
      assertThat(context.getMaxAppAttempts()).isEqualTo(2);
      assertThat(Duration.ofMillis(context.getAttemptFailuresValidityInterval())).isEqualTo(deaths);
      assertThat(context.getKeepContainersAcrossApplicationAttempts()).isTrue();
    }

    void assertKeepsSecret(String name, String value) throws IOException {
      ContainerLaunchContext container = requireNonNull(taken).getAMContainerSpec();
      assertThat(container.getEnvironment().toString()).doesNotContain(value);
      assertThat(container.getCommands().toString()).doesNotContain(value);
      ByteBuffer tokens = container.getTokens().duplicate();
      byte[] bytes = new byte[tokens.remaining()];
      tokens.get(bytes);
      Credentials credentials = new Credentials();
      credentials.readTokenStorageStream(new DataInputStream(new ByteArrayInputStream(bytes)));
      assertThat(TaskSecrets.of(credentials).resolve(Map.of("A", TaskSecrets.reference(name))))
          .isEqualTo(Map.of("A", value));
    }

    void assertTook(int megabytes, int heap) {
      ApplicationSubmissionContext context = requireNonNull(taken);
      assertThat(context.getResource().getMemorySize()).isEqualTo(megabytes);
      assertThat(context.getAMContainerSpec().getCommands().get(0)).contains("-Xmx" + heap + "m ");
    }
  }

  private void start(RunRequest.Builder request, TakingYarn yarn) throws Exception {
    new WorkflowRunner(conf, jars)
        .start(
            new WorkflowRunner.Start(request.workers(ONE).build(), "/data", run -> {}),
            HDFS.fs(),
            yarn);
  }

  private static RunRequest.Builder request() {
    return RunRequest.builder(new Workflow("test", List.of(TASK), Map.of()), "/data");
  }

  @Test
  void runGetsTheRequestedMemoryAndRecordsIt() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      start(request().master(new MasterMemory(2048)), yarn);
      yarn.assertTook(2048, 1280);
      KnownRun run =
          new KnownRun(
              ID,
              RunDirectories.own(HDFS.fs()).directory(ID.toString()),
              new Runs(conf, HDFS.fs(), yarn, Clock.systemUTC()));
      assertThat(run.again("none").master()).isEqualTo(new MasterMemory(2048));
    }
  }

  @Test
  void workersAreSizedByTheTasks() throws Exception {
    NodeReport node = Records.newRecord(NodeReport.class);
    node.setNodeId(NodeId.newInstance("n1", 1));
    node.setCapability(Resource.newInstance(4096, 4));
    Workflow blast =
        new Workflow("blast", List.of(TASK.withNeeds(new TaskNeeds(2, 903L << 20, 0))), Map.of());
    RunRequest.Builder large = RunRequest.builder(blast, "/data").sizeByTasks(true);
    try (TakingYarn yarn = new TakingYarn()) {
      yarn.nodes = List.of(node);
      assertThat(WorkflowRunner.sized(large.build(), HDFS.fs(), yarn).workers())
          .isEqualTo(WorkerPlan.DEFAULT.withSize(2, 903 + WorkerPlan.OWN_MEGABYTES).withCount(1));
      assertThat(WorkflowRunner.sized(large.standIn(true).build(), HDFS.fs(), yarn).workers())
          .isEqualTo(WorkerPlan.DEFAULT);
    }
  }

  @Test
  void runGoesToTheRequestedQueueAndRecordsIt() throws Exception {
    ApplicationRequest queue = new ApplicationRequest("root.science", 4);
    try (TakingYarn yarn = new TakingYarn()) {
      start(request().queue(queue), yarn);
      yarn.assertTook(queue);
      KnownRun run =
          new KnownRun(
              ID,
              RunDirectories.own(HDFS.fs()).directory(ID.toString()),
              new Runs(conf, HDFS.fs(), yarn, Clock.systemUTC()));
      assertThat(run.again("none").queue()).isEqualTo(queue);
    }
  }

  @Test
  void secretIsInTheCredentialsOnly() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      TaskSecrets secrets = new TaskSecrets(Map.of("KEY", "s3cret"));
      RunRequest request = request().workers(ONE).environment(secrets.references()).build();
      new WorkflowRunner(conf, jars)
          .start(
              new WorkflowRunner.Start(request.withSecrets(secrets), "/data", run -> {}),
              HDFS.fs(),
              yarn);

      yarn.assertKeepsSecret("KEY", "s3cret");
      Staging staging = RunDirectories.own(HDFS.fs()).directory(ID.toString());
      assertThat(staging.readText(Staging.PLAN))
          .contains("weir-secret:KEY")
          .doesNotContain("s3cret");
    }
  }

  @Test
  void sessionGoesToTheConfiguredQueue() throws Exception {
    conf.set(ApplicationRequest.QUEUE_KEY, "science");
    try (TakingYarn yarn = new TakingYarn()) {
      new SessionStarter(conf, jars)
          .submit(
              new SessionStarter.Request(
                  "session",
                  Mode.STOCK,
                  ONE,
                  0,
                  MasterMemory.DEFAULT,
                  ApplicationRequest.DEFAULT,
                  TaskSecrets.NONE),
              HDFS.fs(),
              yarn);
      yarn.assertTook(new ApplicationRequest("science", null));
    }
  }

  @Test
  void runInARefusedQueueLeavesNothing() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      yarn.refusal = "unknown queue: nowhere";
      assertThatThrownBy(
              () -> start(request().queue(new ApplicationRequest("nowhere", null)), yarn))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("'nowhere'")
          .hasMessageContaining("root.default");
    }
    assertThat(HDFS.fs().exists(RunDirectories.own(HDFS.fs()).directory(ID.toString()).directory()))
        .isFalse();
  }

  @Test
  void runGetsTheDefaultMemory() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      start(request(), yarn);
      yarn.assertTook(512, 320);
    }
  }

  @Test
  void distantMasterFailuresOfARunDoNotAddUp() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      start(request(), yarn);
      // Longer than YARN needs to detect a hung ApplicationMaster.
      yarn.assertOutlivesItsMaster(Duration.ofHours(1));
    }
  }

  @Test
  void sessionGetsTheRequestedMemory() throws Exception {
    try (TakingYarn yarn = new TakingYarn()) {
      new SessionStarter(conf, jars)
          .submit(
              new SessionStarter.Request(
                  "session",
                  Mode.STOCK,
                  ONE,
                  0,
                  new MasterMemory(1024),
                  ApplicationRequest.DEFAULT,
                  TaskSecrets.NONE),
              HDFS.fs(),
              yarn);
      yarn.assertTook(1024, 640);
    }
  }
}

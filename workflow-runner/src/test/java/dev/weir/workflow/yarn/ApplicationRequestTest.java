package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class ApplicationRequestTest {

  private static final ApplicationRequest FULL =
      new ApplicationRequest(
          null,
          null,
          "ssd",
          Duration.ofMinutes(90),
          Set.of("paper", "2026"),
          Map.of(ApplicationAccessType.VIEW_APP, "ann,bob staff"));

  private final ApplicationSubmissionContext context =
      Records.newRecord(ApplicationSubmissionContext.class);

  /** A YARN with these queues that refuses applications with this message, or accepts them. */
  private static final class Refusing extends YarnClientImpl {

    private final String message;
    private final List<QueueInfo> queues;

    Refusing(String message, List<String> queues) {
      this.message = message;
      this.queues = queues.stream().map(Refusing::info).toList();
    }

    private static QueueInfo info(String path) {
      QueueInfo info = Records.newRecord(QueueInfo.class);
      info.setQueueName(path.substring(path.lastIndexOf('.') + 1));
      info.setQueuePath(path);
      info.setChildQueues(
          path.equals("root") ? List.of(info("root.default")) : Collections.emptyList());
      return info;
    }

    @Override
    public ApplicationId submitApplication(ApplicationSubmissionContext application)
        throws YarnException {
      if (message.isEmpty()) {
        return ApplicationId.newInstance(1, 1);
      }
      throw new YarnException(message);
    }

    @Override
    public List<QueueInfo> getAllQueues() throws IOException {
      if (queues.isEmpty()) {
        throw new IOException("away");
      }
      return queues;
    }
  }

  private String refusal(ApplicationRequest request, String message, String... queues) {
    try (Refusing yarn = new Refusing(message, List.of(queues))) {
      RunException refused =
          catchThrowableOfType(RunException.class, () -> request.submit(context, "run", yarn));
      return String.valueOf(refused.getMessage());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void queueAndPriorityAreSetInTheContext() throws Exception {
    try (Refusing yarn = new Refusing("", List.of())) {
      new ApplicationRequest("root.science", 7).submit(context, "run", yarn);
    }
    assertThat(context.getQueue()).isEqualTo("root.science");
    assertThat(context.getPriority()).isEqualTo(Priority.newInstance(7));
  }

  @Test
  void allOtherValuesAreSetInTheContext() throws Exception {
    context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    try (Refusing yarn = new Refusing("", List.of())) {
      FULL.submit(context, "run", yarn);
    }
    assertThat(context.getNodeLabelExpression()).isEqualTo("ssd");
    assertThat(context.getApplicationTimeouts())
        .containsExactly(Map.entry(ApplicationTimeoutType.LIFETIME, 5_400L));
    assertThat(context.getApplicationTags()).containsExactlyInAnyOrder("paper", "2026");
    assertThat(context.getAMContainerSpec().getApplicationACLs())
        .containsExactly(Map.entry(ApplicationAccessType.VIEW_APP, "ann,bob staff"));
  }

  @Test
  void unsetValuesAreLeftToYarn() throws Exception {
    try (Refusing yarn = new Refusing("", List.of())) {
      ApplicationRequest.DEFAULT.submit(context, "run", yarn);
    }
    assertThat(context.getQueue()).isNull();
    assertThat(context.getPriority()).isNull();
  }

  @Test
  void givenQueuePrecedesTheConfiguredOne() {
    Configuration site = new Configuration(false);
    assertThat(ApplicationRequest.DEFAULT.or(site)).isEqualTo(ApplicationRequest.DEFAULT);
    site.set(ApplicationRequest.QUEUE_KEY, " science ");
    assertThat(new ApplicationRequest(null, 3).or(site))
        .isEqualTo(new ApplicationRequest("science", 3));
    assertThat(new ApplicationRequest("other", 3).or(site))
        .isEqualTo(new ApplicationRequest("other", 3));
  }

  @Test
  void planStoresQueueAndPriority() {
    for (ApplicationRequest request :
        List.of(
            ApplicationRequest.DEFAULT,
            new ApplicationRequest("science", null),
            new ApplicationRequest(null, 0),
            FULL,
            new ApplicationRequest("science", 2))) {
      Map<String, String> noted = request.addTo(Map.of("a", "b"));
      assertThat(noted).containsEntry("a", "b");
      assertThat(ApplicationRequest.of(noted)).isEqualTo(request);
    }
  }

  @Test
  void refusalNamesTheQueueTheReasonAndAllQueues() {
    assertThat(
            refusal(
                new ApplicationRequest("science", null),
                "Application application_1_1 submitted by user u to unknown queue: science\n  at X",
                "root",
                "root.default",
                "root.batch"))
        .isEqualTo(
            "YARN refuses the run in the queue 'science': Application application_1_1 submitted by"
                + " user u to unknown queue: science. Queues of this cluster: root.batch,"
                + " root.default; name one with --queue");
  }

  @Test
  void refusedDefaultQueueIsExplained() {
    assertThat(refusal(ApplicationRequest.DEFAULT, "unknown queue: default", "root.batch"))
        .isEqualTo(
            "YARN refuses the run: unknown queue: default. Queues of this cluster: root.batch; name"
                + " one with --queue");
  }

  @Test
  void refusalByAnAclIsExplained() {
    assertThat(
            refusal(
                new ApplicationRequest("science", null),
                "Failed to submit application_1_1 to YARN :"
                    + " org.apache.hadoop.security.AccessControlException: User u does not have permission"
                    + " to submit application_1_1 to queue science",
                "root.science"))
        .isEqualTo(
            "YARN refuses the run in the queue 'science': User u does not have permission to submit"
                + " application_1_1 to queue science. Queues of this cluster: root.science; name"
                + " one with --queue");
  }

  @Test
  void firstOfManyQueuesAreShown() {
    String[] queues =
        IntStream.range(10, 35).mapToObj(number -> "root.q" + number).toArray(String[]::new);
    assertThat(refusal(ApplicationRequest.DEFAULT, "no permission for queue default", queues))
        .contains("root.q29 and 5 more; ")
        .doesNotContain("root.q30");
  }

  @Test
  void reasonIsShownIfQueuesCannotBeListed() {
    assertThat(refusal(new ApplicationRequest("x", 1), "unknown queue: x"))
        .isEqualTo("YARN refuses the run in the queue 'x': unknown queue: x");
  }

  @Test
  void otherRefusalsListNoQueues() {
    assertThat(refusal(ApplicationRequest.DEFAULT, "no such resource type", "root.default"))
        .isEqualTo("YARN refuses the run: no such resource type");
  }

  @Test
  void invalidValuesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ApplicationRequest(" ", null));
    assertThatIllegalArgumentException().isThrownBy(() -> new ApplicationRequest(null, -1));
    for (String tag : List.of("", "two words", "a,b", "\u00e4", "x".repeat(101))) {
      assertThatIllegalArgumentException()
          .as(tag)
          .isThrownBy(() -> new ApplicationRequest(null, null, null, null, Set.of(tag), Map.of()));
    }
  }
}

package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class QueueRequestTest {

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

  private String refusal(QueueRequest request, String message, String... queues) {
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
      new QueueRequest("root.science", 7).submit(context, "run", yarn);
    }
    assertThat(context.getQueue()).isEqualTo("root.science");
    assertThat(context.getPriority()).isEqualTo(Priority.newInstance(7));
  }

  @Test
  void unsetValuesAreLeftToYarn() throws Exception {
    try (Refusing yarn = new Refusing("", List.of())) {
      QueueRequest.DEFAULT.submit(context, "run", yarn);
    }
    assertThat(context.getQueue()).isNull();
    assertThat(context.getPriority()).isNull();
  }

  @Test
  void givenQueuePrecedesTheConfiguredOne() {
    Configuration site = new Configuration(false);
    assertThat(QueueRequest.DEFAULT.or(site)).isEqualTo(QueueRequest.DEFAULT);
    site.set(QueueRequest.QUEUE_KEY, " science ");
    assertThat(new QueueRequest(null, 3).or(site)).isEqualTo(new QueueRequest("science", 3));
    assertThat(new QueueRequest("other", 3).or(site)).isEqualTo(new QueueRequest("other", 3));
  }

  @Test
  void planStoresQueueAndPriority() {
    for (QueueRequest request :
        List.of(
            QueueRequest.DEFAULT,
            new QueueRequest("science", null),
            new QueueRequest(null, 0),
            new QueueRequest("science", 2))) {
      Map<String, String> noted = request.addTo(Map.of("a", "b"));
      assertThat(noted).containsEntry("a", "b");
      assertThat(QueueRequest.of(noted)).isEqualTo(request);
    }
  }

  @Test
  void refusalNamesTheQueueTheReasonAndAllQueues() {
    assertThat(
            refusal(
                new QueueRequest("science", null),
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
    assertThat(refusal(QueueRequest.DEFAULT, "unknown queue: default", "root.batch"))
        .isEqualTo(
            "YARN refuses the run: unknown queue: default. Queues of this cluster: root.batch; name"
                + " one with --queue");
  }

  @Test
  void refusalByAnAclIsExplained() {
    assertThat(
            refusal(
                new QueueRequest("science", null),
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
    assertThat(refusal(QueueRequest.DEFAULT, "no permission for queue default", queues))
        .contains("root.q29 and 5 more; ")
        .doesNotContain("root.q30");
  }

  @Test
  void reasonIsShownIfQueuesCannotBeListed() {
    assertThat(refusal(new QueueRequest("x", 1), "unknown queue: x"))
        .isEqualTo("YARN refuses the run in the queue 'x': unknown queue: x");
  }

  @Test
  void otherRefusalsListNoQueues() {
    assertThat(refusal(QueueRequest.DEFAULT, "no such resource type", "root.default"))
        .isEqualTo("YARN refuses the run: no such resource type");
  }

  @Test
  void invalidValuesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new QueueRequest(" ", null));
    assertThatIllegalArgumentException().isThrownBy(() -> new QueueRequest(null, -1));
  }
}

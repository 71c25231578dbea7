package dev.weir.cli.doctor;

import dev.weir.workflow.yarn.ApplicationRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/** Checks that YARN accepts runs of the user in the queue that {@code weir run} names. */
record QueueCheck(
    Configuration configuration,
    List<URI> resourceManagers,
    DaemonPages pages,
    FunctionRaisingIOE<Configuration, Queues> opener)
    implements Check {
  private static final String SUBJECT = "queue";

  /** The ResourceManager's answers about queues. */
  interface Queues extends AutoCloseable {
    /** Returns a queue; null if there is none with this name or path. */
    @Nullable QueueInfo find(String name) throws IOException;

    /** Returns what the user may do in each queue. */
    List<QueueUserACLInfo> access() throws IOException;

    @Override
    void close() throws IOException;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    String configured = configuration.getTrimmed(ApplicationRequest.QUEUE_KEY, "");
    String name = configured.isEmpty() ? YarnConfiguration.DEFAULT_QUEUE_NAME : configured;
    try (Queues queues = opener.apply(configuration)) {
      QueueInfo queue = queues.find(name);
      if (queue == null) {
        missing(name, !configured.isEmpty(), findings);
        return;
      }
      if (queue.getQueueState() != QueueState.RUNNING) {
        findings.wrong(
            name + " is " + queue.getQueueState() + ": YARN refuses runs",
            "capacity-scheduler.xml: yarn.scheduler.capacity.QUEUE-PATH.state = RUNNING, then"
                + " yarn rmadmin -refreshQueues; or weir-site.xml: "
                + ApplicationRequest.QUEUE_KEY
                + " = another queue");
      }
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      if (!maySubmit(name, queues)) {
        findings.note(
            user + " may not submit to " + name,
            "capacity-scheduler.xml: yarn.scheduler.capacity.QUEUE-PATH.acl_submit_applications"
                + " with "
                + user
                + ", then yarn rmadmin -refreshQueues; mapred queue -showacls lists the queues"
                + " that "
                + user
                + " may use");
      }
      if (findings.all().isEmpty()) {
        findings.fine(user + " may submit to " + name + ", which is running");
      }
    }
  }

  /** Placement rules may choose another queue for runs that name none. */
  private static void missing(String name, boolean isConfigured, Findings findings) {
    String remedy =
        "weir-site.xml: "
            + ApplicationRequest.QUEUE_KEY
            + " = a queue that yarn queue -list all shows";
    if (isConfigured) {
      findings.wrong(ApplicationRequest.QUEUE_KEY + " is " + name + ": no such queue", remedy);
    } else {
      findings.note(
          "there is no queue " + name + ": runs depend on placement rules or --queue",
          "if there are none, " + remedy);
    }
  }

  private boolean maySubmit(String name, Queues queues) throws IOException {
    // Hadoop's answer ignores that the lists may be switched off.
    if (!Boolean.parseBoolean(
        Daemons.settings(resourceManagers, pages).get(YarnConfiguration.YARN_ACL_ENABLE))) {
      return true;
    }
    return queues.access().stream()
        .filter(one -> one.getUserAcls().contains(QueueACL.SUBMIT_APPLICATIONS))
        .map(QueueUserACLInfo::getQueueName)
        .anyMatch(
            queue ->
                queue.equals(name) || queue.endsWith("." + name) || name.endsWith("." + queue));
  }
}

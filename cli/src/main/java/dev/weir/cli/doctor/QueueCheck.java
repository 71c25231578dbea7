package dev.weir.cli.doctor;

import dev.weir.workflow.yarn.ApplicationRequest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/** Checks that YARN accepts runs of the user in the queue that {@code weir run} names. */
final class QueueCheck implements Check {
  private static final String SUBJECT = "queue";

  private final Configuration configuration;
  private final List<URI> resourceManagers;
  private final DaemonPages pages;
  private final Opener opener;

  /** The ResourceManager's answers about queues. */
  interface Queues extends AutoCloseable {
    /** Returns a queue; null if there is none with this name or path. */
    @Nullable QueueInfo find(String name) throws IOException;

    /** Returns what the user may do in each queue. */
    List<QueueUserACLInfo> access() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Connects to the ResourceManager. */
  @FunctionalInterface
  interface Opener {
    Queues open(Configuration configuration) throws IOException;
  }

  QueueCheck(
      Configuration configuration, List<URI> resourceManagers, DaemonPages pages, Opener opener) {
    this.configuration = configuration;
    this.resourceManagers = resourceManagers;
    this.pages = pages;
    this.opener = opener;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() throws IOException {
    String configured = configuration.getTrimmed(ApplicationRequest.QUEUE_KEY, "");
    String name = configured.isEmpty() ? YarnConfiguration.DEFAULT_QUEUE_NAME : configured;
    try (Queues queues = opener.open(configuration)) {
      QueueInfo queue = queues.find(name);
      if (queue == null) {
        return List.of(missing(name, !configured.isEmpty()));
      }
      List<Finding> findings = new ArrayList<>();
      if (queue.getQueueState() != QueueState.RUNNING) {
        findings.add(
            Finding.wrong(
                SUBJECT,
                name + " is " + queue.getQueueState() + ": YARN refuses runs",
                "capacity-scheduler.xml: yarn.scheduler.capacity.QUEUE-PATH.state = RUNNING, then"
                    + " yarn rmadmin -refreshQueues; or weir-site.xml: "
                    + ApplicationRequest.QUEUE_KEY
                    + " = another queue"));
      }
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      if (!maySubmit(name, queues)) {
        findings.add(
            Finding.note(
                SUBJECT,
                user + " may not submit to " + name,
                "capacity-scheduler.xml: yarn.scheduler.capacity.QUEUE-PATH.acl_submit_applications"
                    + " with "
                    + user
                    + ", then yarn rmadmin -refreshQueues; mapred queue -showacls lists the queues"
                    + " that "
                    + user
                    + " may use"));
      }
      return findings.isEmpty()
          ? List.of(Finding.fine(SUBJECT, user + " may submit to " + name + ", which is running"))
          : findings;
    }
  }

  /** Placement rules may choose another queue for runs that name none. */
  private static Finding missing(String name, boolean isConfigured) {
    String remedy =
        "weir-site.xml: "
            + ApplicationRequest.QUEUE_KEY
            + " = a queue that yarn queue -list all shows";
    return isConfigured
        ? Finding.wrong(
            SUBJECT, ApplicationRequest.QUEUE_KEY + " is " + name + ": no such queue", remedy)
        : Finding.note(
            SUBJECT,
            "there is no queue " + name + ": runs depend on placement rules or --queue",
            "if there are none, " + remedy);
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

package dev.weir.workflow.yarn;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The YARN queue of an application and its priority there.
 *
 * @param queue name or path of the queue; null to leave the choice to YARN's placement rules
 * @param priority at least 0, higher ones first; null for the queue's default
 */
public record QueueRequest(@Nullable String queue, @Nullable Integer priority) {

  /** The queue of applications for which none is given. */
  public static final String QUEUE_KEY = "weir.queue";

  /** YARN chooses both. */
  public static final QueueRequest DEFAULT = new QueueRequest(null, null);

  private static final Logger LOG = LoggerFactory.getLogger(QueueRequest.class);

  private static final String PLAN_QUEUE = "weir.run.queue";
  private static final String PLAN_PRIORITY = "weir.run.priority";

  /** Prefixes that YARN's client and Hadoop's RPC add to the scheduler's message. */
  private static final Pattern REMOTE_CLASS =
      Pattern.compile("^(?:Failed to submit \\S+ to YARN : )?(?:[\\w.$]+Exception: )*");

  private static final int MAX_LISTED = 20;

  /**
   * Validates.
   *
   * @throws IllegalArgumentException when the queue is blank or the priority negative
   */
  public QueueRequest {
    if (queue != null && queue.isBlank()) {
      throw new IllegalArgumentException("The name of the queue is blank: name one with --queue");
    }
    if (priority != null && priority < 0) {
      throw new IllegalArgumentException(
          "The priority " + priority + " is negative: give 0 or more with --priority");
    }
  }

  /**
   * Returns the same with the configured queue if none is given.
   *
   * @param site the client's configuration, with {@code weir-site.xml}
   */
  public QueueRequest or(Configuration site) {
    String configured = queue == null ? site.getTrimmed(QUEUE_KEY, "") : "";
    return configured.isEmpty() ? this : new QueueRequest(configured, priority);
  }

  /**
   * Submits an application to the queue. Values that are not given stay as in the context.
   *
   * @param context the application, complete but for these
   * @param what the kind of application: {@code run} or {@code session}
   * @param yarn the cluster
   * @throws RunException when YARN refuses it; one line with the queue, YARN's message and, if that
   *     is about a queue, the existing queues
   * @throws IOException when YARN cannot be reached
   */
  public void submit(ApplicationSubmissionContext context, String what, YarnClient yarn)
      throws IOException {
    if (queue != null) {
      context.setQueue(queue);
    }
    if (priority != null) {
      context.setPriority(Priority.newInstance(priority));
    }
    try {
      yarn.submitApplication(context);
    } catch (YarnException e) {
      throw refused(what, e, yarn);
    }
  }

  /** Adds both to the settings of a plan, for a retry of the run. */
  public Map<String, String> addTo(Map<String, String> settings) {
    Map<String, String> copy = new HashMap<>(settings);
    if (queue != null) {
      copy.put(PLAN_QUEUE, queue);
    }
    if (priority != null) {
      copy.put(PLAN_PRIORITY, Integer.toString(priority));
    }
    return copy;
  }

  /**
   * Returns the request in the settings of a plan.
   *
   * @param settings those of the plan
   * @return the queue and the priority that its client asked for
   */
  public static QueueRequest of(Map<String, String> settings) {
    String priority = settings.get(PLAN_PRIORITY);
    return new QueueRequest(
        settings.get(PLAN_QUEUE), priority == null ? null : Integer.valueOf(priority));
  }

  private RunException refused(String what, YarnException refusal, YarnClient yarn) {
    String line = firstLine(String.valueOf(refusal.getMessage()).strip());
    String in = queue == null ? "" : " in the queue '" + queue + "'";
    return new RunException(
        "YARN refuses the " + what + in + ": " + line + (isAboutQueue(line) ? queues(yarn) : ""),
        refusal);
  }

  /** Removes the class of the ResourceManager's exception. */
  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return REMOTE_CLASS
        .matcher(end < 0 ? message : message.substring(0, end).strip())
        .replaceFirst("");
  }

  private static boolean isAboutQueue(String message) {
    return message.toLowerCase(Locale.ROOT).contains("queue");
  }

  private static String queues(YarnClient yarn) {
    List<String> paths;
    try {
      paths =
          yarn.getAllQueues().stream()
              .filter(queue -> queue.getChildQueues().isEmpty())
              .map(QueueRequest::path)
              .sorted()
              .toList();
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.debug("YARN does not list its queues", e);
      return "";
    }
    String more = paths.size() > MAX_LISTED ? " and " + (paths.size() - MAX_LISTED) + " more" : "";
    return ". Queues of this cluster: "
        + paths.stream().limit(MAX_LISTED).collect(Collectors.joining(", "))
        + more
        + "; name one with --queue";
  }

  /** The Fair Scheduler returns paths as names. */
  private static String path(QueueInfo queue) {
    String path = queue.getQueuePath();
    return path == null || path.isEmpty() ? queue.getQueueName() : path;
  }
}

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
 * @param queue name or path of the queue; null to leave the choice to YARN and its placement rules
 * @param priority at least 0, a higher one first; null for the queue's own
 */
public record QueueRequest(@Nullable String queue, @Nullable Integer priority) {

  /** The queue of applications for which none is given. */
  public static final String QUEUE_KEY = "weir.queue";

  /** YARN chooses both. */
  public static final QueueRequest DEFAULT = new QueueRequest(null, null);

  private static final Logger LOG = LoggerFactory.getLogger(QueueRequest.class);

  private static final String NOTED_QUEUE = "weir.run.queue";
  private static final String NOTED_PRIORITY = "weir.run.priority";

  /** What YARN's client and Hadoop's RPC put in front of the scheduler's own words. */
  private static final Pattern REMOTE_CLASS =
      Pattern.compile("^(?:Failed to submit \\S+ to YARN : )?(?:[\\w.$]+Exception: )*");

  private static final int SHOWN = 20;

  /**
   * Checks.
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
   * The same with the queue that is configured where none is given.
   *
   * @param site the client's configuration, with {@code weir-site.xml}
   */
  public QueueRequest or(Configuration site) {
    String configured = queue == null ? site.getTrimmed(QUEUE_KEY, "") : "";
    return configured.isEmpty() ? this : new QueueRequest(configured, priority);
  }

  /**
   * Submits an application to the queue. What is not given stays as the context has it.
   *
   * @param context the application, of which all else is said
   * @param what the application in a word: {@code run} or {@code pool}
   * @param yarn the cluster
   * @throws RunException when YARN refuses it; one line with the queue, YARN's words and, where
   *     these are about a queue, the queues that exist
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

  /** Settings of a plan with both, so that a retry of the run can use them. */
  public Map<String, String> noted(Map<String, String> settings) {
    Map<String, String> noted = new HashMap<>(settings);
    if (queue != null) {
      noted.put(NOTED_QUEUE, queue);
    }
    if (priority != null) {
      noted.put(NOTED_PRIORITY, Integer.toString(priority));
    }
    return noted;
  }

  /**
   * What the settings of a plan say.
   *
   * @param settings those of the plan
   * @return the queue and the priority that its client asked for
   */
  public static QueueRequest of(Map<String, String> settings) {
    String noted = settings.get(NOTED_PRIORITY);
    return new QueueRequest(
        settings.get(NOTED_QUEUE), noted == null ? null : Integer.valueOf(noted));
  }

  private RunException refused(String what, YarnException refusal, YarnClient yarn) {
    String line = firstLine(String.valueOf(refusal.getMessage()).strip());
    String in = queue == null ? "" : " in the queue '" + queue + "'";
    return new RunException(
        "YARN refuses the " + what + in + ": " + line + (isOfQueue(line) ? queues(yarn) : ""),
        refusal);
  }

  /** Without the class of the exception that was thrown in the ResourceManager. */
  private static String firstLine(String said) {
    int end = said.indexOf('\n');
    return REMOTE_CLASS.matcher(end < 0 ? said : said.substring(0, end).strip()).replaceFirst("");
  }

  private static boolean isOfQueue(String said) {
    return said.toLowerCase(Locale.ROOT).contains("queue");
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
    String more = paths.size() > SHOWN ? " and " + (paths.size() - SHOWN) + " more" : "";
    return ". Queues of this cluster: "
        + paths.stream().limit(SHOWN).collect(Collectors.joining(", "))
        + more
        + "; name one with --queue";
  }

  /** The Fair Scheduler has paths for names. */
  private static String path(QueueInfo queue) {
    String path = queue.getQueuePath();
    return path == null || path.isEmpty() ? queue.getQueueName() : path;
  }
}

package dev.weir.workflow.yarn;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a user asks of YARN for an application.
 *
 * @param queue name or path of the queue; null to leave the choice to YARN's placement rules
 * @param priority at least 0, higher ones first; null for the queue's default
 * @param nodeLabel label of the nodes on which all containers run; null for the queue's default
 * @param maxTime after which YARN kills the application, at least a second; null for the queue's
 *     limit
 * @param tags by which YARN's commands find the application
 * @param access users and groups who may view or modify the application in YARN, each as in YARN's
 *     access control lists; besides its owner and the administrators
 */
public record ApplicationRequest(
    @Nullable String queue,
    @Nullable Integer priority,
    @Nullable String nodeLabel,
    @Nullable Duration maxTime,
    Set<String> tags,
    Map<ApplicationAccessType, String> access) {

  /** The queue of applications for which none is given. */
  public static final String QUEUE_KEY = "weir.queue";

  /** Leaves all values to YARN. */
  public static final ApplicationRequest DEFAULT = new ApplicationRequest(null, null);

  private static final Logger LOG = LoggerFactory.getLogger(ApplicationRequest.class);

  private static final String PLAN_QUEUE = "weir.run.queue";
  private static final String PLAN_PRIORITY = "weir.run.priority";
  private static final String PLAN_NODE_LABEL = "weir.run.node-label";
  private static final String PLAN_MAX_TIME = "weir.run.max-time";
  private static final String PLAN_TAGS = "weir.run.tags";
  private static final String PLAN_ACCESS = "weir.run.access.";

  /** Prefixes that YARN's client and Hadoop's RPC add to the scheduler's message. */
  private static final Pattern REMOTE_CLASS =
      Pattern.compile("^(?:Failed to submit \\S+ to YARN : )?(?:[\\w.$]+Exception: )*");

  private static final int MAX_LISTED = 20;
  private static final String TAGS = "[\\x21-\\x7e&&[^,]]{1,100}";

  /**
   * Validates.
   *
   * @throws IllegalArgumentException when the queue is blank, the priority negative, the time less
   *     than a second, or a tag empty, too long or not of ASCII
   */
  public ApplicationRequest {
    tags = Collections.unmodifiableSet(new TreeSet<>(tags));
    access = Map.copyOf(access);
    if (queue != null && queue.isBlank()) {
      throw new IllegalArgumentException("The name of the queue is blank: name one with --queue");
    }
    if (priority != null && priority < 0) {
      throw new IllegalArgumentException(
          "The priority " + priority + " is negative: give 0 or more with --priority");
    }
    if (maxTime != null && maxTime.toSeconds() < 1) {
      throw new IllegalArgumentException("--max-time is less than a second");
    }
    for (String tag : tags) {
      if (!tag.matches(TAGS)) {
        throw new IllegalArgumentException(
            "The tag '" + tag + "' is not one word of up to 100 ASCII characters without commas");
      }
    }
  }

  /** Asks for a queue and a priority only. */
  public ApplicationRequest(@Nullable String queue, @Nullable Integer priority) {
    this(queue, priority, null, null, Set.of(), Map.of());
  }

  /**
   * Returns the same with the configured queue if none is given.
   *
   * @param site the client's configuration, with {@code weir-site.xml}
   */
  public ApplicationRequest or(Configuration site) {
    String configured = queue == null ? site.getTrimmed(QUEUE_KEY, "") : "";
    return configured.isEmpty()
        ? this
        : new ApplicationRequest(configured, priority, nodeLabel, maxTime, tags, access);
  }

  /**
   * Submits an application. Values that are not given stay as in the context.
   *
   * @param context the application, complete but for these
   * @param what the kind of application: {@code run} or {@code session}
   * @param yarn the cluster
   * @throws RunException when YARN refuses it; one line with the queue, YARN's message and, if that
   *     is about a queue, the existing queues
   */
  public void submit(ApplicationSubmissionContext context, String what, YarnClient yarn)
      throws IOException {
    if (queue != null) {
      context.setQueue(queue);
    }
    if (priority != null) {
      context.setPriority(Priority.newInstance(priority));
    }
    if (nodeLabel != null) {
      context.setNodeLabelExpression(nodeLabel);
    }
    if (maxTime != null) {
      context.setApplicationTimeouts(Map.of(ApplicationTimeoutType.LIFETIME, maxTime.toSeconds()));
    }
    if (!tags.isEmpty()) {
      context.setApplicationTags(tags);
    }
    if (!access.isEmpty()) {
      context.getAMContainerSpec().setApplicationACLs(access);
    }
    try {
      yarn.submitApplication(context);
    } catch (YarnException e) {
      throw refused(what, e, yarn);
    }
  }

  /** Writes this request to the settings of a plan, so that a retry of the run makes the same. */
  public Map<String, String> addTo(Map<String, String> settings) {
    Map<String, String> copy = new HashMap<>(settings);
    if (queue != null) {
      copy.put(PLAN_QUEUE, queue);
    }
    if (priority != null) {
      copy.put(PLAN_PRIORITY, Integer.toString(priority));
    }
    if (nodeLabel != null) {
      copy.put(PLAN_NODE_LABEL, nodeLabel);
    }
    if (maxTime != null) {
      copy.put(PLAN_MAX_TIME, maxTime.toString());
    }
    if (!tags.isEmpty()) {
      copy.put(PLAN_TAGS, String.join(",", tags));
    }
    access.forEach((type, who) -> copy.put(PLAN_ACCESS + type, who));
    return copy;
  }

  /**
   * Returns the request in the settings of a plan.
   *
   * @return what its client asked for
   */
  public static ApplicationRequest of(Map<String, String> settings) {
    String priority = settings.get(PLAN_PRIORITY);
    String maxTime = settings.get(PLAN_MAX_TIME);
    String tags = settings.get(PLAN_TAGS);
    Map<ApplicationAccessType, String> access = new EnumMap<>(ApplicationAccessType.class);
    for (ApplicationAccessType type : ApplicationAccessType.values()) {
      String who = settings.get(PLAN_ACCESS + type);
      if (who != null) {
        access.put(type, who);
      }
    }
    return new ApplicationRequest(
        settings.get(PLAN_QUEUE),
        priority == null ? null : Integer.valueOf(priority),
        settings.get(PLAN_NODE_LABEL),
        maxTime == null ? null : Duration.parse(maxTime),
        tags == null ? Set.of() : Set.of(tags.split(",")),
        access);
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
              .map(ApplicationRequest::path)
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

package dev.weir.yarn.cluster;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which an application attempt may get containers: not blacklisted, and in the
 * partition that it asks for. Waiting for other nodes would be useless. Used for one heartbeat by
 * one thread, which must not hold a lock of a scheduler.
 */
public final class EligibleNodes {

  private final RMContext context;
  private final ApplicationAttemptId attempt;
  private final @Nullable ResourceBlacklistRequest changes;
  private @Nullable Set<String> blacklist;
  private @Nullable String defaultPartition;

  /**
   * Creates the rules for an attempt.
   *
   * @param changes the blacklist changes of this heartbeat, null if none
   */
  public EligibleNodes(
      RMContext context, ApplicationAttemptId attempt, @Nullable ResourceBlacklistRequest changes) {
    this.context = context;
    this.attempt = attempt;
    this.changes = changes;
  }

  public Predicate<ClusterNode> forContainer(
      ClusterView cluster, ContainerRequirement requirement) {
    String partition = partition(cluster, requirement);
    Set<String> blacklisted = blacklist();
    return node ->
        cluster.partitions().admits(node.name(), partition)
            && !blacklisted.contains(node.name())
            && !blacklisted.contains(node.rack());
  }

  /**
   * The nodes eligible for the ApplicationMaster's container, which has a blacklist of its own in
   * YARN.
   */
  public Predicate<ClusterNode> forMaster(ClusterView cluster, ContainerRequirement requirement) {
    SchedulerApplicationAttempt known = known();
    String partition = partition(cluster, requirement);
    return node ->
        cluster.partitions().admits(node.name(), partition)
            && (known == null
                || !(known.isPlaceBlacklisted(node.name())
                    || known.isPlaceBlacklisted(node.rack())));
  }

  /** The containers that the scheduler still owes on a key. */
  public int outstanding(ResourceRequest any) {
    return outstanding(any, ResourceRequest.ANY);
  }

  /** The containers owed on a key that may run on a host, in a rack or anywhere. */
  public int outstanding(ResourceRequest any, String place) {
    SchedulerApplicationAttempt known = known();
    return known == null
        ? 0
        : known.getOutstandingAsksCount(SchedulerRequestKey.create(any), place);
  }

  private @Nullable SchedulerApplicationAttempt known() {
    return context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
        ? scheduler.getApplicationAttempt(attempt)
        : null;
  }

  private Set<String> blacklist() {
    Set<String> known = blacklist;
    if (known == null) {
      SchedulerApplicationAttempt app = known();
      known = app == null ? new HashSet<>() : new HashSet<>(app.getBlacklistedNodes());
      if (changes != null) {
        known.addAll(orNone(changes.getBlacklistAdditions()));
        orNone(changes.getBlacklistRemovals()).forEach(known::remove);
      }
      blacklist = known;
    }
    return known;
  }

  private static List<String> orNone(@Nullable List<String> places) {
    return places == null ? List.of() : places;
  }

  /** By YARN's rules: the partition of the ask, else of the application, else of its queue. */
  private String partition(ClusterView cluster, ContainerRequirement requirement) {
    boolean hasLabel = requirement.label() != null && !requirement.label().isEmpty();
    if (cluster.partitions().ofNodes().isEmpty() && !hasLabel) {
      return "";
    }
    if (!(context.getScheduler() instanceof CapacityScheduler scheduler)) {
      return "";
    }
    RMApp app = context.getRMApps().get(attempt.getApplicationId());
    if (app == null) {
      return "";
    }
    String ofApp = app.getApplicationSubmissionContext().getNodeLabelExpression();
    Set<String> enforced =
        YarnConfiguration.getExclusiveEnforcedPartitions(context.getYarnConfiguration());
    String asked = requirement.label() == null ? ofApp : requirement.label();
    if ((ofApp != null && enforced.contains(ofApp))
        || (asked != null && enforced.contains(asked))) {
      asked = ofApp;
    }
    return asked != null ? asked.trim() : ofQueue(scheduler, app.getQueue());
  }

  private String ofQueue(CapacityScheduler scheduler, String queue) {
    String known = defaultPartition;
    if (known == null) {
      try {
        String label = scheduler.getQueueInfo(queue, false, false).getDefaultNodeLabelExpression();
        known = label == null ? "" : label.trim();
      } catch (IOException e) {
        // The queue is created on demand and has no default yet.
        known = "";
      }
      defaultPartition = known;
    }
    return known;
  }
}

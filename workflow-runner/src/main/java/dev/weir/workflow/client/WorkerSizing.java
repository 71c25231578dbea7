package dev.weir.workflow.client;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sizes the workers of a run for its largest task. All workers of a run are alike, so a worker gets
 * the most cores and the most memory that a task needs. Declared needs that exceed every node are
 * refused; learned ones are limited to the largest node. Workers are requested for those nodes only
 * that have room for one.
 */
final class WorkerSizing {

  private static final int MEBI_BITS = 20;

  /** A task gets a quarter more memory than the most that was measured, as in the scheduler. */
  private static final int MARGIN = 4;

  private final WorkerPlan least;
  private final Cluster cluster;

  /**
   * A node of a cluster.
   *
   * @param name host name
   * @param cores its virtual cores
   * @param megabytes its memory for containers, in MiB
   */
  record Node(String name, int cores, long megabytes) {

    boolean hasRoom(Size worker) {
      return worker.cores() <= cores && worker.megabytes() <= megabytes;
    }
  }

  /**
   * The resources of a cluster.
   *
   * @param nodes its running nodes
   * @param mostCores most virtual cores of a container
   * @param mostMegabytes most memory of a container, in MiB
   * @param masterMegabytes memory of the ApplicationMaster, which may take it on any node
   */
  record Cluster(List<Node> nodes, int mostCores, long mostMegabytes, int masterMegabytes) {

    /** Limits the nodes to the largest container. */
    Cluster {
      nodes =
          nodes.stream()
              .map(
                  node ->
                      new Node(
                          node.name(),
                          Math.min(node.cores(), mostCores),
                          Math.min(node.megabytes(), mostMegabytes)))
              .toList();
    }

    /** How many nodes have room for a worker when they run nothing else. */
    int rooms(Size worker) {
      return (int) nodes.stream().filter(node -> node.hasRoom(worker)).count();
    }

    /** Whether a worker certainly starts, even if the ApplicationMaster takes the best node. */
    boolean hasRoom(Size worker) {
      return rooms(worker) > 1
          || rooms(new Size(worker.cores(), worker.megabytes() + masterMegabytes)) > 0;
    }

    /** The node with most cores or, of those with the same, most memory; or the reverse. */
    @Nullable Node largest(boolean byCores) {
      Comparator<Node> cores = Comparator.comparingInt(Node::cores);
      Comparator<Node> memory = Comparator.comparingLong(Node::megabytes);
      return nodes.stream()
          .max(byCores ? cores.thenComparing(memory) : memory.thenComparing(cores))
          .orElse(null);
    }
  }

  /** Cores and memory in MiB of a worker's container. */
  record Size(int cores, long megabytes) {

    static Size of(ResourceNeeds needs) {
      return new Size(needs.cores(), ceilMebi(needs.memoryBytes()) + WorkerPlan.OWN_MEGABYTES);
    }

    Size atLeast(Size other) {
      return new Size(Math.max(cores, other.cores), Math.max(megabytes, other.megabytes));
    }
  }

  private WorkerSizing(WorkerPlan least, Cluster cluster) {
    this.least = least;
    this.cluster = cluster;
  }

  /**
   * Whether a task needs more than a worker of a plan has.
   *
   * @param profiles profiles of task types, for needs that a task does not declare
   */
  static boolean exceeds(WorkerPlan plan, Workflow workflow, TaskProfiles profiles) {
    Size size = size(plan);
    return ordinary(workflow)
        .map(task -> declared(task).atLeast(learned(task, profiles)))
        .anyMatch(needed -> !needed.atLeast(size).equals(size));
  }

  /** Tasks that need further types of resources get dedicated workers. */
  private static Stream<Task> ordinary(Workflow workflow) {
    return workflow.tasks().stream()
        .filter(task -> !ResourceNeeds.of(task.needs()).needDedicatedWorker());
  }

  /**
   * Returns a plan whose workers have room for each task.
   *
   * @param least the plan with the smallest workers that may result
   * @param profiles profiles of task types, for needs that a task does not declare
   * @throws RunException if a task declares more than every node has
   */
  static WorkerPlan sized(
      WorkerPlan least, Workflow workflow, TaskProfiles profiles, Cluster cluster)
      throws RunException {
    return new WorkerSizing(least, cluster).sized(workflow, profiles);
  }

  private WorkerPlan sized(Workflow workflow, TaskProfiles profiles) throws RunException {
    Size size = size(least);
    for (Task task : ordinary(workflow).toList()) {
      Size needed = declared(task);
      if (size.atLeast(needed).equals(size)) {
        continue;
      }
      if (!cluster.hasRoom(needed)) {
        throw tooLarge(task, needed);
      }
      Size both = size.atLeast(needed);
      if (!cluster.hasRoom(both)) {
        throw new RunException(
            ("The task '%s' needs %s. All workers of a run are alike, and no node has "
                    + "room for a worker of %s cores and %s MiB, which the largest tasks need "
                    + "together: correct the task, ignore the declared needs with "
                    + "--ignore-needs, or run the tasks as two workflows")
                .formatted(task.id(), needs(task), both.cores(), both.megabytes()));
      }
      size = both;
    }
    for (Task task : ordinary(workflow).toList()) {
      size = limited(size, learned(task, profiles));
    }
    WorkerPlan plan = least.withSize(size.cores(), (int) size.megabytes());
    return least.count() == 0 && !size.equals(size(least))
        ? plan.withCount(Math.max(1, cluster.rooms(size)))
        : plan;
  }

  /** Enlarges a worker for learned needs as far as a node has room. */
  private Size limited(Size size, Size learned) {
    Size both = size.atLeast(learned);
    if (both.equals(size) || cluster.hasRoom(both)) {
      return both;
    }
    Size best = size;
    for (Node node : cluster.nodes()) {
      for (long megabytes :
          List.of(node.megabytes(), node.megabytes() - cluster.masterMegabytes())) {
        Size limit =
            new Size(Math.min(both.cores(), node.cores()), Math.min(both.megabytes(), megabytes));
        if (limit.atLeast(best).equals(limit) && cluster.hasRoom(limit)) {
          best = limit;
        }
      }
    }
    return best;
  }

  private RunException tooLarge(Task task, Size needed) {
    Node largest =
        cluster.largest(cluster.nodes().stream().noneMatch(n -> n.cores() >= needed.cores()));
    return new RunException(
        "The task '"
            + task.id()
            + "' needs "
            + needs(task)
            + ", and no node has room for it"
            + (largest == null
                ? ""
                : (": the largest, %s, has %s for a container, of which a worker keeps %s "
                        + "MiB for itself, beside an ApplicationMaster of %s MiB")
                    .formatted(
                        largest.name(),
                        ResourceNeeds.inWords(largest.cores(), largest.megabytes() << MEBI_BITS),
                        WorkerPlan.OWN_MEGABYTES,
                        cluster.masterMegabytes()))
            + ". Correct the task, ignore the declared needs with --ignore-needs, or give the nodes"
            + " or YARN's largest container more (yarn.nodemanager.resource.memory-mb and"
            + " .cpu-vcores, yarn.scheduler.maximum-allocation-mb and -vcores)");
  }

  private static String needs(Task task) {
    return ResourceNeeds.of(task.needs()).inWords();
  }

  private static Size declared(Task task) {
    return Size.of(ResourceNeeds.of(task.needs()));
  }

  /** The size that profiles imply for what a task does not declare. */
  private static Size learned(Task task, TaskProfiles profiles) {
    return profiles
        .of(task.type())
        .map(
            profile -> {
              int cores = task.needs().cores() == 0 ? profile.wholeCores() : 1;
              long peak = profile.peakMemoryBytes();
              long bytes = task.needs().memoryBytes() == 0 ? peak + peak / MARGIN : 0;
              return Size.of(new ResourceNeeds(cores, bytes));
            })
        .orElse(Size.of(ResourceNeeds.ONE_CORE));
  }

  private static Size size(WorkerPlan plan) {
    return new Size(plan.cores(), plan.megabytes());
  }

  private static long ceilMebi(long bytes) {
    return (bytes >> MEBI_BITS) + (bytes % (1 << MEBI_BITS) == 0 ? 0 : 1);
  }
}

package dev.weir.workflow.yarn;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * Reads which resources the nodes of a cluster have for dedicated workers.
 *
 * @param types names of YARN's resource types
 * @param nodes the running nodes
 */
public record ClusterResourcesReader(List<String> types, List<NodeReport> nodes) {

  /** Memory and cores, which come before the further types. */
  private static final int MANDATORY_TYPES = 2;

  /** Reads resource types and running nodes from the ResourceManager. */
  public static ClusterResourcesReader ask(YarnClient yarn) throws IOException, YarnException {
    List<ResourceTypeInfo> types = yarn.getResourceTypeInfo();
    if (types.size() != ResourceUtils.getNumberOfKnownResourceTypes()) {
      // Reports lack the types that the client's own configuration does not name.
      ResourceUtils.reinitializeResources(types);
    }
    return new ClusterResourcesReader(
        types.stream().map(ResourceTypeInfo::getName).toList(),
        yarn.getNodeReports(NodeState.RUNNING));
  }

  /**
   * Returns a plan with the resources of the cluster.
   *
   * @param tasks the known tasks
   * @param largest the largest container that YARN gives
   * @param masterMegabytes memory of the ApplicationMaster, which may be on any node, in MiB
   * @throws RunException if no node can run one of the tasks
   */
  public WorkerPlan addTo(WorkerPlan plan, List<Task> tasks, Resource largest, int masterMegabytes)
      throws RunException {
    long most = 0;
    for (NodeReport node : nodes) {
      if (node.getCapability().getVirtualCores() >= plan.cores()) {
        most = Math.max(most, memory(node, largest) - masterMegabytes);
      }
    }
    Map<String, Map<String, Long>> amounts = new HashMap<>();
    for (String type : types) {
      if (!type.equals(ResourceInformation.MEMORY_URI)
          && !type.equals(ResourceInformation.VCORES_URI)) {
        amounts.put(type, amounts(type, largest));
      }
    }
    Map<String, Long> memory = new HashMap<>();
    Map<String, ResourceNeeds> rooms = new HashMap<>();
    for (NodeReport node : onePerHost()) {
      String host = node.getNodeId().getHost();
      if (amounts.values().stream().anyMatch(hosts -> hosts.containsKey(host))) {
        memory.put(host, taskBytes(memory(node, largest) - masterMegabytes));
        rooms.put(host, room(node, largest));
      }
    }
    ResourceNeeds ofContainer =
        new ResourceNeeds(
            Math.max(1, largest.getVirtualCores()), taskBytes(largest.getMemorySize()));
    WorkerPlan filled =
        plan.with(new ClusterResources(taskBytes(most), amounts, memory, ofContainer, rooms));
    for (Task task : tasks) {
      if (ResourceNeeds.of(task.needs()).needDedicatedWorker()) {
        require(task, filled);
      }
    }
    return filled;
  }

  /**
   * Returns one node of each host, because requests name hosts: of several the one with the most of
   * any further type, and of these the one with the most memory.
   */
  private Collection<NodeReport> onePerHost() {
    Comparator<NodeReport> order =
        Comparator.<NodeReport>comparingLong(
                node ->
                    Arrays.stream(node.getCapability().getResources())
                        .skip(MANDATORY_TYPES)
                        .mapToLong(ResourceInformation::getValue)
                        .max()
                        .orElse(0))
            .thenComparing(node -> node.getCapability().getMemorySize());
    return nodes.stream()
        .collect(
            Collectors.toMap(
                node -> node.getNodeId().getHost(),
                Function.identity(),
                BinaryOperator.maxBy(order)))
        .values();
  }

  private static long taskBytes(long megabytes) {
    return Math.max(0, WorkerPlan.taskBytes((int) Math.min(megabytes, Integer.MAX_VALUE)));
  }

  private static ResourceNeeds room(NodeReport node, Resource largest) {
    return new ResourceNeeds(
        Math.max(1, Math.min(node.getCapability().getVirtualCores(), largest.getVirtualCores())),
        taskBytes(memory(node, largest)));
  }

  private static long memory(NodeReport node, Resource largest) {
    return Math.min(node.getCapability().getMemorySize(), largest.getMemorySize());
  }

  /** Returns how many such containers there can be; cores may not count. */
  private long containers(ResourceNeeds needs, int megabytes) {
    long containers = 0;
    for (NodeReport node : nodes) {
      Resource capability = node.getCapability();
      long most = capability.getMemorySize() / Math.max(1, megabytes);
      for (Map.Entry<String, Long> needed : needs.resources().entrySet()) {
        most = Math.min(most, capability.getResourceValue(needed.getKey()) / needed.getValue());
      }
      containers += most;
    }
    return containers;
  }

  private Map<String, Long> amounts(String type, Resource largest) {
    Map<String, Long> amounts = new HashMap<>();
    for (NodeReport node : onePerHost()) {
      long amount =
          Math.min(node.getCapability().getResourceValue(type), largest.getResourceValue(type));
      if (amount > 0) {
        amounts.put(node.getNodeId().getHost(), amount);
      }
    }
    return amounts;
  }

  private void require(Task task, WorkerPlan plan) throws RunException {
    ResourceNeeds needs = ResourceNeeds.of(task.needs());
    String reason = plan.size().refusal(needs).orElse("");
    if (reason.isEmpty() && needs.members() > 0) {
      long room = containers(needs, plan.megabytes(needs));
      reason =
          room > needs.members()
              ? ""
              : "all nodes together have room for "
                  + room
                  + " of them: ask for fewer or smaller ones, or add nodes";
    }
    if (!reason.isEmpty()) {
      throw new RunException(
          "The task '" + task.id() + "' needs " + needs.inWords() + ", and " + reason);
    }
  }
}

package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster of which one of two nodes has devices. */
class ClusterResourcesReaderTest {

  private static final int MASTER = 512;

  @BeforeEach
  void addType() {
    ResourceUtils.reinitializeResources(
        List.of(
            ResourceTypeInfo.newInstance("memory-mb"),
            ResourceTypeInfo.newInstance("vcores"),
            ResourceTypeInfo.newInstance("fpga")));
  }

  @AfterEach
  void reset() {
    ResourceUtils.resetResourceTypes();
    // Only reading them corrects their number, which the next new resource needs.
    ResourceUtils.getResourceTypes();
  }

  private static NodeReport node(String name, int megabytes, long devices) {
    Resource capability = Resource.newInstance(megabytes, 4);
    capability.setResourceValue("fpga", devices);
    return NodeReport.newInstance(
        NodeId.newInstance(name, 1), NodeState.RUNNING, "", "/r", null, capability, 0, "", 0);
  }

  private static WorkerPlan plan(Task... tasks) throws RunException {
    ClusterResourcesReader cluster =
        new ClusterResourcesReader(
            List.of("memory-mb", "vcores", "fpga"),
            List.of(node("n1", 4096, 0), node("n2", 2048, 3)));
    Resource largest = Resource.newInstance(3072, 4);
    largest.setResourceValue("fpga", 2);
    return cluster.addTo(WorkerPlan.DEFAULT, List.of(tasks), largest, MASTER);
  }

  private static Task task(TaskNeeds needs) {
    return new Task("a", "a", List.of("true"), List.of(), List.of(), 1).withNeeds(needs);
  }

  private static TaskNeeds needs(int cores, int megabytes, Map<String, Long> resources) {
    return new TaskNeeds(cores, (long) megabytes << 20, 0).withResources(resources);
  }

  @Test
  void planHasWhatContainersOfNodesCanHave() throws RunException {
    assertThat(plan(task(needs(4, 1024, Map.of("fpga", 2L)))).cluster())
        .isEqualTo(
            new ClusterResources(
                WorkerPlan.taskBytes(3072 - MASTER),
                Map.of("fpga", Map.of("n2", 2L)),
                Map.of("n2", WorkerPlan.taskBytes(2048 - MASTER)),
                new ResourceNeeds(4, WorkerPlan.taskBytes(3072)),
                Map.of("n2", new ResourceNeeds(4, WorkerPlan.taskBytes(2048)))));
  }

  @Test
  void resourcesOfTwoNodeManagersOnOneHostAreNotMixed() throws RunException {
    Resource largest = Resource.newInstance(8192, 8);
    largest.setResourceValue("fpga", 2);
    ClusterResources resources =
        new ClusterResourcesReader(
                List.of("memory-mb", "vcores", "fpga"),
                List.of(node("n1", 4096, 0), node("n1", 2048, 2), node("n1", 1024, 2)))
            .addTo(WorkerPlan.DEFAULT, List.of(), largest, MASTER)
            .cluster();

    assertThat(resources.amounts()).isEqualTo(Map.of("fpga", Map.of("n1", 2L)));
    assertThat(resources.rooms())
        .isEqualTo(Map.of("n1", new ResourceNeeds(4, WorkerPlan.taskBytes(2048))));
  }

  @Test
  void tasksThatNoNodeCanRunAreRefused() {
    assertThatThrownBy(() -> plan(task(needs(1, 0, Map.of("gpu", 1L)))))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(
            "'a' needs 1 core, and 1 of gpu, and YARN has no resource type 'gpu'");
    assertThatThrownBy(() -> plan(task(needs(1, 0, Map.of("fpga", 3L)))))
        .hasMessageContaining("the most is [2 of fpga]");
    assertThatThrownBy(() -> plan(task(needs(1, 2000, Map.of("fpga", 1L)))))
        .hasMessageContaining(
            "[n2], none can give a task 1 core and 2000 MiB of memory: ask for less");
  }

  @Test
  void moreContainersThanTheNodesHaveRoomForAreRefused() throws RunException {
    // A container has 384 MiB more than its task.
    TaskNeeds plain = needs(1, 640, Map.of());
    assertThat(plan(task(plain.withContainers(6)))).isNotNull();
    assertThatThrownBy(() -> plan(task(plain.withContainers(7))))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(
            "'a' needs 7 containers, each with 1 core and 640 MiB of memory, and all nodes together"
                + " have room for 6 of them: ask for fewer");
    TaskNeeds devices = needs(1, 128, Map.of("fpga", 1L));
    assertThat(plan(task(devices.withContainers(3)))).isNotNull();
    assertThatThrownBy(() -> plan(task(devices.withContainers(4))))
        .hasMessageContaining("room for 3 of them");
  }
}

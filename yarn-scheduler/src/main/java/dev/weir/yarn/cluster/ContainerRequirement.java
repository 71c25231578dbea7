package dev.weir.yarn.cluster;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a container requires of a node.
 *
 * @param label the partition of the node; null to leave it to YARN
 */
public record ContainerRequirement(Resource capability, @Nullable String label) {

  public static ContainerRequirement of(ResourceRequest ask) {
    String label = ask.getNodeLabelExpression();
    return new ContainerRequirement(ask.getCapability(), label == null ? null : label.trim());
  }
}

package dev.weir.yarn;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * What a container must find on a node.
 *
 * @param label the partition that the node must be in; empty if that is left to the queue
 */
record Need(Resource capability, String label) {

  static Need of(ResourceRequest ask) {
    String label = ask.getNodeLabelExpression();
    return new Need(ask.getCapability(), label == null ? "" : label.trim());
  }
}

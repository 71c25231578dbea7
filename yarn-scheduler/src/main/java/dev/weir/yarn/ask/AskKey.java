package dev.weir.yarn.ask;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * What the scheduler files an ask under: within one application, asks with the same priority and
 * allocation request id replace each other, name by name.
 */
record AskKey(int priority, long allocationRequestId) {

  static AskKey of(ResourceRequest ask) {
    return new AskKey(ask.getPriority().getPriority(), ask.getAllocationRequestId());
  }

  static AskKey of(Container container) {
    return new AskKey(container.getPriority().getPriority(), container.getAllocationRequestId());
  }
}

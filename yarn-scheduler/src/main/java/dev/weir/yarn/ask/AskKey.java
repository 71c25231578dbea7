package dev.weir.yarn.ask;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * The key under which the scheduler keeps an ask: within one application, asks with the same
 * priority, allocation request id and resource name replace each other.
 */
record AskKey(int priority, long allocationRequestId) {

  static AskKey of(ResourceRequest ask) {
    return new AskKey(ask.getPriority().getPriority(), ask.getAllocationRequestId());
  }

  static AskKey of(Container container) {
    return new AskKey(container.getPriority().getPriority(), container.getAllocationRequestId());
  }
}

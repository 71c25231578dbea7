package dev.weir.yarn.ask;

import dev.weir.yarn.metrics.AskOutcome;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * The step of one key in one heartbeat.
 *
 * @param next the new state, null to drop the key
 * @param asks the asks for the scheduler
 */
record KeyStep(@Nullable KeyState next, List<ResourceRequest> asks, AskOutcome outcome) {

  KeyStep {
    asks = List.copyOf(asks);
  }
}

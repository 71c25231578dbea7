package dev.weir.yarn.ask;

import dev.weir.yarn.metrics.AskOutcome;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one key in one heartbeat.
 *
 * @param next what to remember, null to forget the key
 * @param asks what the scheduler is to be told
 */
record KeyStep(@Nullable KeyState next, List<ResourceRequest> asks, AskOutcome outcome) {

  KeyStep {
    asks = List.copyOf(asks);
  }
}

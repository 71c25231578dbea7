package dev.weir.yarn;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one key in one heartbeat.
 *
 * @param next what to remember, null to forget the key
 * @param asks what the scheduler is to be told
 */
record KeyStep(@Nullable KeyState next, List<ResourceRequest> asks, Outcome outcome) {

  /** Why the asks are as they are. */
  enum Outcome {
    PLACED("Asks sent with nodes for every name"),
    PARTLY("Asks sent with nodes for some of the names"),
    ANYWHERE("Asks sent without nodes"),
    HELD("Asks kept back until the files are located"),
    ADDED_LATE("Nodes added to asks sent without them"),
    LEFT_ALONE("Asks where the application chose hosts or racks itself"),
    ENDED("Asks that no longer name files or are for no containers"),
    SATISFIED("Asks forgotten because all their containers have come"),
    NOTHING("Nothing new");

    private final String description;

    Outcome(String description) {
      this.description = description;
    }

    String description() {
      return description;
    }
  }

  KeyStep {
    asks = List.copyOf(asks);
  }
}

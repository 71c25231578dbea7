package dev.weir.yarn.cluster;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Estimates how soon a node has room for one more container. */
public final class RoomEstimate {

  /** There will be no room that is worth waiting for. */
  public static final long NEVER = Long.MAX_VALUE;

  private RoomEstimate() {}

  record Space(Resource total, Resource free) {}

  /** A container on the node and the time until it is expected to end. */
  record Occupant(long endsInMillis, Resource resource) {}

  /**
   * The time until enough containers have ended, if they end in the expected order and no other
   * container takes their room.
   *
   * @param calculator which resources count, as in the scheduler
   * @param byEnd containers in the order of their expected ends
   */
  static long millisUntilRoom(
      ResourceCalculator calculator, Space space, Resource requirement, List<Occupant> byEnd) {
    if (!Resources.fitsIn(calculator, requirement, space.total())) {
      return NEVER;
    }
    Resource room = Resources.clone(space.free());
    if (Resources.fitsIn(calculator, requirement, room)) {
      return 0;
    }
    for (Occupant occupant : byEnd) {
      Resources.addTo(room, occupant.resource());
      if (Resources.fitsIn(calculator, requirement, room)) {
        return occupant.endsInMillis();
      }
    }
    return NEVER;
  }
}

package dev.weir.yarn.cluster;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/** How soon a node may have room for one more container. */
public final class RoomEstimate {

  /** There will be no room that is worth waiting for. */
  public static final long NEVER = Long.MAX_VALUE;

  private RoomEstimate() {}

  /** What a node has in all, and what of it nobody has. */
  record Space(Resource total, Resource free) {}

  /** A container on the node, and in how long it is expected to end. */
  record Occupant(long endsInMillis, Resource resource) {}

  /**
   * In how long so many of the containers will have ended that the need is met, if they end in the
   * expected order and nobody else takes what they leave.
   *
   * @param rule which resources count, as the scheduler has it
   * @param inOrder in the order in which they are expected to end
   */
  static long millisUntilRoom(
      ResourceCalculator rule, Space space, Resource need, List<Occupant> inOrder) {
    if (!Resources.fitsIn(rule, need, space.total())) {
      return NEVER;
    }
    Resource room = Resources.clone(space.free());
    if (Resources.fitsIn(rule, need, room)) {
      return 0;
    }
    for (Occupant occupant : inOrder) {
      Resources.addTo(room, occupant.resource());
      if (Resources.fitsIn(rule, need, room)) {
        return occupant.endsInMillis();
      }
    }
    return NEVER;
  }
}

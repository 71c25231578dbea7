package dev.weir.yarn.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What was running on a full node at one time. The result for each container size is cached, so
 * that many keys cost no more than one.
 */
final class NodeOccupancy {

  /** The most cached sizes. */
  private static final int MAX_SIZES = 64;

  private final ResourceCalculator rule;
  private final RoomEstimate.Space space;
  private final List<RoomEstimate.Occupant> inOrder;
  private final long atMillis;
  private final Map<Resource, Long> untilRoom = new ConcurrentHashMap<>();

  /**
   * Creates a snapshot.
   *
   * @param rule which resources count
   * @param occupants the running containers, in any order
   */
  NodeOccupancy(
      ResourceCalculator rule,
      RoomEstimate.Space space,
      List<RoomEstimate.Occupant> occupants,
      long atMillis) {
    this.rule = rule;
    this.space = space;
    this.inOrder =
        occupants.stream()
            .sorted(Comparator.comparingLong(RoomEstimate.Occupant::endsInMillis))
            .toList();
    this.atMillis = atMillis;
  }

  /**
   * The time from now until there is room for a container; {@link RoomEstimate#NEVER} if there will
   * be none.
   */
  long millisUntilRoom(Resource need, long nowMillis) {
    Long known = untilRoom.get(need);
    long then = known != null ? known : found(need);
    return then == RoomEstimate.NEVER ? then : Math.max(0, then - (nowMillis - atMillis));
  }

  private long found(Resource need) {
    long then = RoomEstimate.millisUntilRoom(rule, space, need, inOrder);
    if (untilRoom.size() < MAX_SIZES) {
      // The caller may change the resource that it passed.
      untilRoom.put(Resources.clone(need), then);
    }
    return then;
  }
}

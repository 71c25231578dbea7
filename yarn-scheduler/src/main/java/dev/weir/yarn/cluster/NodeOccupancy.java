package dev.weir.yarn.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The containers of a full node at one time. The result for each container size is cached, because
 * many keys request it.
 */
final class NodeOccupancy {

  /** The most cached sizes. */
  private static final int MAX_SIZES = 64;

  private final ResourceCalculator calculator;
  private final RoomEstimate.Space space;
  private final List<RoomEstimate.Occupant> byEnd;
  private final long atMillis;
  private final Map<Resource, Long> untilRoom = new ConcurrentHashMap<>();

  /**
   * Creates a snapshot.
   *
   * @param calculator which resources count
   * @param occupants the running containers, in any order
   */
  NodeOccupancy(
      ResourceCalculator calculator,
      RoomEstimate.Space space,
      List<RoomEstimate.Occupant> occupants,
      long atMillis) {
    this.calculator = calculator;
    this.space = space;
    this.byEnd =
        occupants.stream()
            .sorted(Comparator.comparingLong(RoomEstimate.Occupant::endsInMillis))
            .toList();
    this.atMillis = atMillis;
  }

  /**
   * The time from now until there is room for a container; {@link RoomEstimate#NEVER} if there will
   * be none.
   */
  long millisUntilRoom(Resource requirement, long nowMillis) {
    Long known = untilRoom.get(requirement);
    long then = known != null ? known : compute(requirement);
    return then == RoomEstimate.NEVER ? then : Math.max(0, then - (nowMillis - atMillis));
  }

  private long compute(Resource requirement) {
    long then = RoomEstimate.millisUntilRoom(calculator, space, requirement, byEnd);
    if (untilRoom.size() < MAX_SIZES) {
      // The caller may change the resource that it passed.
      untilRoom.put(Resources.clone(requirement), then);
    }
    return then;
  }
}

package dev.weir.yarn.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * How it stood with a full node when it was last looked at. Whoever asks for a container of a size
 * that has been asked for before gets the same answer, so that many keys cost no more than one.
 */
final class NodeOccupancy {

  /** Containers come in few sizes. */
  private static final int MAX_SIZES = 64;

  private final ResourceCalculator rule;
  private final RoomEstimate.Space space;
  private final List<RoomEstimate.Occupant> inOrder;
  private final long atMillis;
  private final Map<Resource, Long> untilRoom = new ConcurrentHashMap<>();

  /**
   * A look at a node.
   *
   * @param rule which resources count
   * @param occupants in any order
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
   * In how long from now there will be room for a container; {@link RoomEstimate#NEVER} if never.
   */
  long millisUntilRoom(Resource need, long nowMillis) {
    Long known = untilRoom.get(need);
    long then = known != null ? known : found(need);
    return then == RoomEstimate.NEVER ? then : Math.max(0, then - (nowMillis - atMillis));
  }

  private long found(Resource need) {
    long then = RoomEstimate.millisUntilRoom(rule, space, need, inOrder);
    if (untilRoom.size() < MAX_SIZES) {
      // What is asked with may be changed by whoever asks.
      untilRoom.put(Resources.clone(need), then);
    }
    return then;
  }
}

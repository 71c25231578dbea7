package dev.weir.yarn.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * How soon a node has room for one more container, by its containers at one time. The result for
 * each container size is cached, because many keys request it. Thread-safe.
 */
public final class RoomEstimate {
  /** There will be no room that is worth waiting for. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int MAX_SIZES = 64;

  private final ResourceCalculator calculator;
  private final Space space;
  private final List<Occupant> byEnd;
  private final long atMillis;
  private final Map<Resource, Long> untilRoom = new ConcurrentHashMap<>();

  record Space(Resource total, Resource free) {}

  /** A container on the node and the time until it is expected to end. */
  record Occupant(long endsInMillis, Resource resource) {}

  /**
   * Creates an estimate.
   *
   * @param calculator which resources count, as in the scheduler
   * @param occupants the running containers, in any order
   */
  RoomEstimate(
      ResourceCalculator calculator, Space space, List<Occupant> occupants, long atMillis) {
    this.calculator = calculator;
    this.space = space;
    this.byEnd =
        occupants.stream().sorted(Comparator.comparingLong(Occupant::endsInMillis)).toList();
    this.atMillis = atMillis;
  }

  /**
   * The time from now until there is room for a container; {@link #NEVER} if there will be none.
   */
  long millisUntilRoom(Resource requirement, long nowMillis) {
    Long known = untilRoom.get(requirement);
    long then = known != null ? known : compute(requirement);
    if (known == null && untilRoom.size() < MAX_SIZES) {
      // The caller may change the resource that it passed.
      untilRoom.put(Resources.clone(requirement), then);
    }
    return then == NEVER ? then : Math.max(0, then - (nowMillis - atMillis));
  }

  /**
   * The time until enough containers have ended, if they end in the expected order and no other
   * container takes their room.
   */
  private long compute(Resource requirement) {
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

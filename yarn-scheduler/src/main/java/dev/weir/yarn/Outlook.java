package dev.weir.yarn;

import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/** How soon a node may have room for one more container. */
final class Outlook {

  /** There will be no room that is worth waiting for. */
  static final long NEVER = Long.MAX_VALUE;

  private Outlook() {}

  /** A container on the node, and in how long it is expected to end. */
  record Occupant(long endsInMillis, Resource resource) {}

  /**
   * In how long so many of the containers will have ended that the need is met, if they end in the
   * expected order and nobody else takes what they leave.
   */
  static long millisUntilRoom(
      Resource total, Resource free, Resource need, List<Occupant> occupants) {
    if (!Resources.fitsIn(need, total)) {
      return NEVER;
    }
    Resource room = Resources.clone(free);
    if (Resources.fitsIn(need, room)) {
      return 0;
    }
    List<Occupant> inOrder =
        occupants.stream().sorted(Comparator.comparingLong(Occupant::endsInMillis)).toList();
    for (Occupant occupant : inOrder) {
      Resources.addTo(room, occupant.resource());
      if (Resources.fitsIn(need, room)) {
        return occupant.endsInMillis();
      }
    }
    return NEVER;
  }
}

package dev.weir.hdfs.placement;

import dev.weir.hints.UnfinishedName;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes over which the regions of a file are distributed round robin: those that can take a
 * block and those that have it, in the rendezvous order of the file's name. Computed only as far as
 * needed.
 */
final class ScatterRing<S extends Site> {
  private final PlacementView<S> view;
  private final SiteOrder<S> order;
  private final List<S> holders;
  private final List<S> found = new ArrayList<>();
  private int position;

  ScatterRing(PlacementView<S> view) {
    this.view = view;
    order = new SiteOrder<>(StableHash.of(UnfinishedName.target(view.path())), view.sites());
    holders = view.chosen();
  }

  /** The site at a number of steps from the first, wrapping around. */
  S get(long steps) {
    return has(steps) ? found.get((int) steps) : found.get((int) (steps % found.size()));
  }

  /** Whether there are more than that many sites. If not, all have been examined. */
  boolean has(long steps) {
    while (found.size() <= steps && position < order.size()) {
      int number = order.number(position);
      S site = order.get(position++);
      if (view.isEligible(number) || holders.contains(site)) {
        found.add(site);
      }
    }
    return found.size() > steps;
  }

  /** The number of sites; examines all. */
  int size() {
    has(Integer.MAX_VALUE);
    return found.size();
  }

  /**
   * The position of the first holder.
   *
   * @return -1 if no holder is in the topology
   */
  int firstHolder() {
    for (int i = 0; has(i); i++) {
      if (holders.contains(found.get(i))) {
        return i;
      }
    }
    return -1;
  }
}

package dev.weir.hdfs.placement;

import dev.weir.hints.UnfinishedName;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes that the regions of a file go round: those that can take a block and those that have
 * it, in the rendezvous order of the file's name, found only as far as they are asked for.
 */
final class ScatterRing<S extends Site> {
  private final PlacementView<S> view;
  private final SiteOrder<S> order;
  private final List<S> holders;
  private final List<S> found = new ArrayList<>();
  private int place;

  ScatterRing(PlacementView<S> view) {
    this.view = view;
    order = new SiteOrder<>(StableHash.of(UnfinishedName.target(view.path())), view.sites());
    holders = view.chosen();
  }

  /** The site that is so many further on than the first, coming round again after the last. */
  S get(long steps) {
    return has(steps) ? found.get((int) steps) : found.get((int) (steps % found.size()));
  }

  /** Whether there are more than so many; all of them are looked at when there are not. */
  boolean has(long steps) {
    while (found.size() <= steps && place < order.size()) {
      int number = order.number(place);
      S site = order.get(place++);
      if (view.isAble(number) || holders.contains(site)) {
        found.add(site);
      }
    }
    return found.size() > steps;
  }

  /** How many there are; looks at all. */
  int size() {
    has(Integer.MAX_VALUE);
    return found.size();
  }

  /**
   * Where the first of the holders is.
   *
   * @return -1 when none of them is in the topology
   */
  int holder() {
    for (int i = 0; has(i); i++) {
      if (holders.contains(found.get(i))) {
        return i;
      }
    }
    return -1;
  }
}

package dev.weir.hdfs.placement;

/** The sites in the order of a name, best first, computed only as far as needed. */
final class SiteOrder<S extends Site> {
  private final Sites<S> sites;
  private final long seed;
  private int[] known = {};

  SiteOrder(long seed, Sites<S> sites) {
    this.sites = sites;
    this.seed = seed;
  }

  int size() {
    return sites.size();
  }

  S get(int place) {
    return sites.get(number(place));
  }

  int number(int place) {
    if (place >= known.length) {
      known = sites.best(seed, place + 1);
    }
    return known[place];
  }
}

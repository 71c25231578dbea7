package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.RankedNodes;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.AskMetrics.Event;

/**
 * The distance of an allocated container to its bytes. If a key has several names, it is unknown
 * for which of them the container was allocated; the name with the most bytes there is assumed.
 *
 * @param saved the bytes beyond what a random node would hold
 */
record ContainerLocality(Near near, long bytes, long saved) {

  enum Near {
    NODE(Event.CONTAINERS_ON_NAMED_NODES, Event.BYTES_ON_NAMED_NODES),
    RACK(Event.CONTAINERS_IN_NAMED_RACKS, Event.BYTES_IN_NAMED_RACKS),
    ELSEWHERE(Event.CONTAINERS_ELSEWHERE, Event.BYTES_ELSEWHERE);

    private final Event containers;
    private final Event bytes;

    Near(Event containers, Event bytes) {
      this.containers = containers;
      this.bytes = bytes;
    }
  }

  static ContainerLocality on(KeyState state, String node, String rack) {
    RankedNodes here = null;
    RankedNodes inRack = null;
    RankedNodes any = null;
    for (RankedNodes ranked : state.nodes().values()) {
      if (ranked.bytesByNode().containsKey(node)
          && (here == null || bytes(ranked, node) > bytes(here, node))) {
        here = ranked;
      }
      if (ranked.nodes().stream().anyMatch(named -> named.rack().equals(rack))
          && (inRack == null || ranked.bytes() > inRack.bytes())) {
        inRack = ranked;
      }
      if (any == null || ranked.bytes() > any.bytes()) {
        any = ranked;
      }
    }
    if (here != null) {
      long bytes = bytes(here, node);
      return new ContainerLocality(Near.NODE, bytes, Math.max(0, bytes - here.bytesByChance()));
    }
    if (inRack != null) {
      return new ContainerLocality(Near.RACK, inRack.bytes(), 0);
    }
    return new ContainerLocality(Near.ELSEWHERE, any == null ? 0 : any.bytes(), 0);
  }

  private static long bytes(RankedNodes ranked, String node) {
    return ranked.bytesByNode().getOrDefault(node, 0L);
  }

  void count(AskMetrics metrics) {
    metrics.count(near.containers);
    metrics.count(near.bytes, bytes);
    metrics.count(Event.BYTES_SAVED, saved);
  }
}

package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds DataNodes by the names that users write: {@code host} or {@code host:port}. Immutable. */
final class SitesByName<S extends Site> {
  private final Map<String, List<S>> byHost = new HashMap<>();

  SitesByName(Collection<S> sites) {
    for (S site : sites) {
      byHost
          .computeIfAbsent(site.host().toLowerCase(Locale.ROOT), host -> new ArrayList<>(1))
          .add(site);
    }
    byHost.values().forEach(same -> same.sort(Comparator.comparingInt(Site::port)));
  }

  /** The DataNodes with a name; several if they share a host. */
  List<S> find(String name) {
    String host = name.toLowerCase(Locale.ROOT);
    List<S> same = byHost.get(host);
    int colon = host.lastIndexOf(':');
    if (same != null || colon < 0) {
      return same == null ? List.of() : same;
    }
    String port = host.substring(colon + 1);
    return byHost.getOrDefault(host.substring(0, colon), List.of()).stream()
        .filter(site -> port.equals(Integer.toString(site.port())))
        .toList();
  }
}

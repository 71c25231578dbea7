package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds DataNodes by the names that people write: {@code host} or {@code host:port}. */
final class NamedSites<S extends Site> {
  private final Map<String, List<S>> byName = new HashMap<>();

  /** Looks at every site once, and makes nothing for those whose name nobody asked for. */
  NamedSites(Collection<String> names, Collection<S> sites) {
    boolean withPorts = false;
    for (String name : names) {
      byName.put(name.toLowerCase(Locale.ROOT), new ArrayList<>());
      withPorts |= name.indexOf(':') >= 0;
    }
    for (S site : sites) {
      String host = site.host().toLowerCase(Locale.ROOT);
      add(host, site);
      if (withPorts) {
        add(host + ":" + site.port(), site);
      }
    }
    byName.values().forEach(same -> same.sort(Comparator.comparingInt(Site::port)));
  }

  /** The DataNodes of one of the names; several when they share a host. */
  List<S> find(String name) {
    return byName.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  private void add(String name, S site) {
    List<S> same = byName.get(name);
    if (same != null) {
      same.add(site);
    }
  }
}

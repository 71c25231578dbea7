package dev.weir.service.locate;

import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.Replica;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums up the bytes that each host has of some files. Not thread-safe. */
final class NodeTotals {
  private final Map<String, Sum> sums = new HashMap<>();

  /** Adds the blocks of a file. A host with two DataNodes counts a block once. */
  void add(FileInfo file) {
    Set<String> hosts = new HashSet<>();
    Set<String> caching = new HashSet<>();
    for (FileBlock block : file.blocks()) {
      hosts.clear();
      caching.clear();
      for (Replica replica : block.replicas()) {
        Sum sum = sums.computeIfAbsent(replica.host(), host -> new Sum(replica.rack()));
        if (hosts.add(replica.host())) {
          sum.bytes += block.share();
        }
        if (replica.cached() && caching.add(replica.host())) {
          sum.cached += block.share();
        }
      }
    }
  }

  List<NodeShare> best() {
    return sums.entrySet().stream()
        .map(
            sum ->
                new NodeShare(
                    sum.getKey(), sum.getValue().rack, sum.getValue().bytes, sum.getValue().cached))
        .sorted(NodeShare.BEST_FIRST)
        .toList();
  }

  private static final class Sum {
    private final String rack;
    private long bytes;
    private long cached;

    Sum(String rack) {
      this.rack = rack;
    }
  }
}

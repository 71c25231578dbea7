package dev.weir.service.locate.explain;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether a NameNode follows a rule.
 *
 * @param nameNodes the active NameNodes that follow hints; null if that is not known
 * @param version the version of the hints with the rule's last change
 */
record NameNodeRuleStatus(@Nullable List<WatcherInfo> nameNodes, long version) {

  /** Selects the active NameNodes among all watchers. */
  static NameNodeRuleStatus of(
      List<WatcherInfo> watchers, Predicate<WatcherInfo> active, long version) {
    return new NameNodeRuleStatus(
        watchers.stream()
            .filter(watcher -> watcher.role().equals(HintStore.ROLE_NAMENODE))
            .filter(active)
            .toList(),
        version);
  }

  /**
   * Returns why the NameNode does not place files by the rule; empty if it does, or if that is not
   * known.
   */
  Optional<String> obstacle() {
    if (nameNodes == null) {
      return Optional.empty();
    }
    if (nameNodes.isEmpty()) {
      return Optional.of(
          "no active NameNode follows hints; set dfs.block.replicator.classname and"
              + " weir.zookeeper.quorum in its hdfs-site.xml");
    }
    if (nameNodes.stream().anyMatch(watcher -> watcher.version() >= version)) {
      return Optional.empty();
    }
    WatcherInfo behind = nameNodes.get(0);
    return Optional.of(
        "the NameNode "
            + behind.host()
            + " has applied the hints only up to version "
            + behind.version()
            + ", the rule has version "
            + version);
  }
}

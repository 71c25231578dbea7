package dev.weir.service.locate;

import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether a NameNode follows a rule.
 *
 * @param nameNodes the NameNodes that follow hints and are active; null when that is not known
 * @param version since when the rule is as it is
 */
record NameNodeRuleStatus(@Nullable List<WatcherInfo> nameNodes, long version) {

  /** Of all watchers. */
  static NameNodeRuleStatus of(
      List<WatcherInfo> watchers, Predicate<WatcherInfo> active, long version) {
    return new NameNodeRuleStatus(
        watchers.stream()
            .filter(watcher -> watcher.role().equals(HintStore.ROLE_NAMENODE))
            .filter(active)
            .toList(),
        version);
  }

  /** Why the NameNode does not place files by the rule; empty when it does, or it is not known. */
  Optional<String> obstacle() {
    if (nameNodes == null) {
      return Optional.empty();
    }
    if (nameNodes.isEmpty()) {
      return Optional.of(
          "no NameNode that is active follows hints; dfs.block.replicator.classname and"
              + " weir.zookeeper.quorum in its hdfs-site.xml make it");
    }
    if (nameNodes.stream().anyMatch(watcher -> watcher.version() >= version)) {
      return Optional.empty();
    }
    WatcherInfo behind = nameNodes.get(0);
    return Optional.of(
        "the NameNode "
            + behind.host()
            + " has taken in the hints only up to version "
            + behind.version()
            + ", the rule is of "
            + version);
  }
}

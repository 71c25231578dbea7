package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import java.util.List;
import java.util.function.Predicate;

/** Encodes watchers as JSON. */
final class WatcherJson {
  private WatcherJson() {}

  /**
   * Returns the JSON form.
   *
   * @param latest the version to compare with
   * @param active tells whether a watcher is the active NameNode
   */
  static ArrayNode json(List<WatcherInfo> watchers, long latest, Predicate<WatcherInfo> active) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (WatcherInfo watcher : watchers) {
      ObjectNode node = array.addObject();
      node.put("role", watcher.role());
      node.put("host", watcher.host());
      node.put("process", watcher.process());
      node.put("version", watcher.version());
      node.put("behind", watcher.version() < latest);
      if (watcher.role().equals(HintStore.ROLE_NAMENODE)) {
        node.put("active", active.test(watcher));
      }
    }
    return array;
  }
}

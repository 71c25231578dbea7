package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.store.WatcherInfo;
import java.util.List;

/** Watchers as they go over the wire. */
final class Watchers {
  private Watchers() {}

  /**
   * The JSON form.
   *
   * @param latest the version that a watcher is behind of
   */
  static ArrayNode json(List<WatcherInfo> watchers, long latest) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (WatcherInfo watcher : watchers) {
      ObjectNode node = array.addObject();
      node.put("role", watcher.role());
      node.put("host", watcher.host());
      node.put("process", watcher.process());
      node.put("version", watcher.version());
      node.put("behind", watcher.version() < latest);
    }
    return array;
  }
}

package dev.weir.hints;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.Placement.Collocate;
import dev.weir.hints.Placement.Local;
import dev.weir.hints.Placement.Nodes;
import dev.weir.hints.Placement.Scatter;
import dev.weir.hints.Placement.Spread;
import java.time.Duration;
import java.util.Locale;

/** Writes a {@link Hint} as JSON. */
final class HintWriter {
  private HintWriter() {}

  static ObjectNode write(Hint hint) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    hint.placement().ifPresent(value -> node.set("placement", placement(value)));
    hint.replication().ifPresent(value -> node.set("replication", replication(value)));
    hint.blockSize().ifPresent(value -> node.put("block-size", value));
    hint.lifetime().ifPresent(value -> node.set("lifetime", lifetime(value)));
    if (hint.cache()) {
      node.put("cache", true);
    }
    return node;
  }

  private static ObjectNode placement(Placement placement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    if (placement instanceof Local) {
      node.put("kind", "local");
    } else if (placement instanceof Spread) {
      node.put("kind", "spread");
    } else if (placement instanceof Collocate collocate) {
      node.put("kind", "collocate").put("group", collocate.group());
      if (collocate.spread() != 1) {
        node.put("spread", collocate.spread());
      }
    } else if (placement instanceof Scatter scatter) {
      node.put("kind", "scatter").put("region-bytes", scatter.regionBytes());
    } else if (placement instanceof Nodes nodes) {
      ArrayNode hosts = node.put("kind", "nodes").putArray("hosts");
      nodes.hosts().forEach(hosts::add);
    }
    return node;
  }

  private static ObjectNode replication(Replication replication) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    AutoRange auto = replication.auto();
    if (auto != null) {
      ObjectNode range = node.putObject("auto");
      if (auto.min() != Replication.FILES_OWN) {
        range.put("min", auto.min());
      }
      range.put("max", auto.max());
      return node;
    }
    if (replication.hasTarget()) {
      node.put("target", replication.target());
    }
    return node.put("mode", replication.mode().name().toLowerCase(Locale.ROOT));
  }

  private static ObjectNode lifetime(Lifetime lifetime) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("temporary", lifetime.temporary());
    Duration expiry = lifetime.expiry();
    if (expiry != null) {
      node.put("expiry", expiry.toString());
    }
    return node;
  }
}

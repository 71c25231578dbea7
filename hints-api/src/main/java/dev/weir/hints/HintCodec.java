package dev.weir.hints;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JSON form of a {@link HintSet}. Reading is strict: unknown content is refused with the
 * source, the position as a JSON pointer, and a remedy.
 *
 * <p>A set may state its {@code format}; without it, the format is 1. Of a set in a newer format,
 * unknown fields and the rules that cannot be read are ignored. So the daemons of a cluster may be
 * upgraded one after the other. A change that must not be ignored needs another place than a newer
 * format.
 */
public final class HintCodec {
  private static final JsonFactory FACTORY =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /** The format that {@link #toJson} writes, and the newest that is read completely. */
  private static final int FORMAT = 1;

  private static final Logger LOG = LoggerFactory.getLogger(HintCodec.class);
  private static final LogLimit LOG_LIMIT = LogLimit.oncePerMinute();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private HintCodec() {}

  /** The set on one line, without absent parts. */
  public static String toJson(HintSet set) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("id", set.id());
    root.put("owner", set.owner());
    Instant expires = set.expires();
    if (expires != null) {
      root.put("expires", expires.toString());
    }
    ArrayNode rules = root.putArray("rules");
    for (Rule rule : set.rules()) {
      ObjectNode node = rules.addObject();
      node.put("pattern", rule.pattern().toString());
      node.set("hint", HintWriter.write(rule.hint()));
    }
    return root.toString();
  }

  /**
   * Reads a set.
   *
   * @param json the text
   * @param source the name of the text for messages, such as a file or a znode
   * @throws InvalidHintException if the text is not a hint set
   */
  public static HintSet fromJson(String json, String source) {
    return set(new HintJsonNode(source, "", parse(json, source), false));
  }

  /** The JSON object of a hint on one line, without absent parts. */
  public static String hintToJson(Hint hint) {
    return HintWriter.write(hint).toString();
  }

  /**
   * Reads a hint: a JSON object, or a JSON string in the form of {@link HintText}.
   *
   * @param source the name of the text for messages
   * @throws InvalidHintException if the text is not a hint
   */
  public static Hint hintFromJson(String json, String source) {
    return hint(new HintJsonNode(source, "", parse(json, source), false));
  }

  private static JsonNode parse(String json, String source) {
    try (JsonParser in = FACTORY.createParser(json)) {
      if (in.nextToken() == null) {
        throw new InvalidHintException(source + ": is empty; write a JSON object");
      }
      JsonNode node = read(in);
      if (in.nextToken() != null) {
        throw new JsonParseException(in, "text follows the JSON value");
      }
      return node;
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String position =
          at == null ? "" : " line " + at.getLineNr() + ", column " + at.getColumnNr() + ":";
      throw new InvalidHintException(
          source
              + ":"
              + position
              + " is not JSON: "
              + e.getOriginalMessage()
              + "; correct it there",
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + source, e);
    }
  }

  /**
   * Reads a value. An {@code ObjectMapper} would do the same, but its classes take much of the
   * start of a process that only reads hints.
   */
  private static JsonNode read(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          object.set(name, read(in));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(in));
        }
        yield array;
      }
      case VALUE_NUMBER_INT -> NODES.numberNode(in.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(in.getDoubleValue());
      case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(in.getBooleanValue());
      case VALUE_NULL -> NODES.nullNode();
      default -> NODES.textNode(in.getText());
    };
  }

  private static HintSet set(HintJsonNode strict) {
    long format = strict.optional("format").map(HintJsonNode::integer).orElse((long) FORMAT);
    HintJsonNode node = format > FORMAT ? strict.lenient() : strict;
    node.requireFields("format", "id", "owner", "expires", "rules");
    String id = node.require("id").text();
    String owner = node.require("owner").text();
    @Nullable Instant expires = node.optional("expires").map(HintJsonNode::instant).orElse(null);
    List<Rule> rules = new ArrayList<>();
    for (HintJsonNode rule : node.require("rules").elements()) {
      try {
        rules.add(rule(rule));
      } catch (InvalidHintException e) {
        if (format <= FORMAT) {
          throw e;
        }
        if (LOG_LIMIT.permits()) {
          LOG.warn("Ignoring a rule of format {}, which is newer than this version", format, e);
        }
      }
    }
    return node.convert(() -> new HintSet(id, owner, expires, rules));
  }

  private static Rule rule(HintJsonNode node) {
    node.requireFields("pattern", "hint");
    HintJsonNode pattern = node.require("pattern");
    String text = pattern.text();
    return new Rule(pattern.convert(() -> PathPattern.parse(text)), hint(node.require("hint")));
  }

  private static Hint hint(HintJsonNode node) {
    if (node.isText()) {
      String text = node.text();
      return node.convert(() -> HintText.parse(text));
    }
    node.requireFields("placement", "replication", "block-size", "lifetime", "cache");
    Hint.Builder hint = Hint.builder();
    node.optional("placement").map(HintCodec::placement).ifPresent(hint::placement);
    node.optional("replication").map(HintCodec::replication).ifPresent(hint::replication);
    node.optional("block-size")
        .ifPresent(
            size -> {
              long bytes = size.integer();
              size.convert(() -> hint.blockSize(bytes));
            });
    node.optional("lifetime").map(HintCodec::lifetime).ifPresent(hint::lifetime);
    node.optional("cache").map(HintJsonNode::bool).ifPresent(hint::cache);
    return hint.build();
  }

  private static Placement placement(HintJsonNode node) {
    HintJsonNode kind = node.require("kind");
    return switch (kind.text()) {
      case "local" -> withoutFields(node, new Placement.Local());
      case "spread" -> withoutFields(node, new Placement.Spread());
      case "collocate" -> {
        node.requireFields("kind", "group", "spread");
        HintJsonNode group = node.require("group");
        String name = group.text();
        Placement.Collocate collocate = group.convert(() -> new Placement.Collocate(name));
        yield node.optional("spread")
            .map(spread -> withSpread(collocate, spread))
            .orElse(collocate);
      }
      case "scatter" -> {
        node.requireFields("kind", "region-bytes");
        HintJsonNode region = node.require("region-bytes");
        long bytes = region.integer();
        yield region.convert(() -> new Placement.Scatter(bytes));
      }
      case "nodes" -> {
        node.requireFields("kind", "hosts");
        HintJsonNode hosts = node.require("hosts");
        List<String> names = hosts.elements().stream().map(HintJsonNode::text).toList();
        yield hosts.convert(() -> new Placement.Nodes(names));
      }
      default ->
          throw kind.error(
              "'" + kind.text() + "' is not a placement",
              "write local, collocate, scatter, spread or nodes");
    };
  }

  private static Placement.Collocate withSpread(
      Placement.Collocate collocate, HintJsonNode spread) {
    long number = spread.integer();
    int clamped = (int) Math.max(-1, Math.min(number, Integer.MAX_VALUE));
    return spread.convert(() -> new Placement.Collocate(collocate.group(), clamped));
  }

  private static Placement withoutFields(HintJsonNode node, Placement placement) {
    node.requireFields("kind");
    return placement;
  }

  private static Replication replication(HintJsonNode node) {
    if (node.optional("auto").isPresent()) {
      node.requireFields("auto");
      return Replication.auto(autoRange(node.require("auto")));
    }
    node.requireFields("target", "mode", "auto");
    HintJsonNode mode = node.require("mode");
    Replication.Mode value =
        switch (mode.text().toLowerCase(Locale.ROOT)) {
          case "eager" -> Replication.Mode.EAGER;
          case "lazy" -> Replication.Mode.LAZY;
          default ->
              throw mode.error(
                  "'" + mode.text() + "' is not a replication mode", "write eager or lazy");
        };
    return node.optional("target")
        .map(target -> replication(target, value))
        .orElseGet(() -> new Replication(Replication.FILES_OWN, value));
  }

  private static AutoRange autoRange(HintJsonNode node) {
    node.requireFields("min", "max");
    int min = node.optional("min").map(HintCodec::replicas).orElse(Replication.FILES_OWN);
    int max = node.optional("max").map(HintCodec::replicas).orElse(AutoRange.DEFAULT_MAX);
    return node.convert(() -> new AutoRange(min, max));
  }

  private static int replicas(HintJsonNode node) {
    long number = node.integer();
    if (number < 1 || number > Replication.MAX_TARGET) {
      throw node.error(
          "replication of " + number + " is out of range", "write 1 to " + Replication.MAX_TARGET);
    }
    return (int) number;
  }

  private static Replication replication(HintJsonNode target, Replication.Mode mode) {
    long number = target.integer();
    if (number == Replication.FILES_OWN || number > Integer.MAX_VALUE) {
      throw target.error(
          "replication of " + number + " is out of range",
          "write 1 to "
              + Replication.MAX_TARGET
              + ", or leave the field out for the file's own replication");
    }
    int clamped = (int) Math.max(number, Integer.MIN_VALUE);
    return target.convert(() -> new Replication(clamped, mode));
  }

  private static Lifetime lifetime(HintJsonNode node) {
    node.requireFields("temporary", "expiry");
    boolean temporary = node.require("temporary").bool();
    @Nullable Duration expiry = node.optional("expiry").map(HintJsonNode::duration).orElse(null);
    return node.convert(() -> new Lifetime(temporary, expiry));
  }
}

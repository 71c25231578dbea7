package dev.weir.hints;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link HintSet}. Reading is strict: unknown content is refused with the
 * source, the position as a JSON pointer, and a remedy.
 */
public final class HintCodec {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

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
    return set(new HintJsonNode(source, "", parse(json, source)));
  }

  /** The JSON object of a hint on one line, without absent parts. */
  public static String hintToJson(Hint hint) {
    return HintWriter.write(hint).toString();
  }

  /**
   * Reads a hint: a JSON object, or a JSON string in the form of {@link HintText}.
   *
   * @param json the text
   * @param source the name of the text for messages
   * @throws InvalidHintException if the text is not a hint
   */
  public static Hint hintFromJson(String json, String source) {
    return hint(new HintJsonNode(source, "", parse(json, source)));
  }

  private static JsonNode parse(String json, String source) {
    try {
      JsonNode node = MAPPER.readTree(json);
      if (node == null || node.isMissingNode()) {
        throw new InvalidHintException(source + ": is empty; write a JSON object");
      }
      return node;
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String place =
          at == null ? "" : " line " + at.getLineNr() + ", column " + at.getColumnNr() + ":";
      throw new InvalidHintException(
          source + ":" + place + " is not JSON: " + e.getOriginalMessage() + "; correct it there",
          e);
    }
  }

  private static HintSet set(HintJsonNode place) {
    place.requireFields("id", "owner", "expires", "rules");
    String id = place.require("id").text();
    String owner = place.require("owner").text();
    @Nullable Instant expires = place.optional("expires").map(HintJsonNode::instant).orElse(null);
    List<Rule> rules = new ArrayList<>();
    for (HintJsonNode rule : place.require("rules").elements()) {
      rules.add(rule(rule));
    }
    return place.make(() -> new HintSet(id, owner, expires, rules));
  }

  private static Rule rule(HintJsonNode place) {
    place.requireFields("pattern", "hint");
    HintJsonNode pattern = place.require("pattern");
    String text = pattern.text();
    return new Rule(pattern.make(() -> PathPattern.parse(text)), hint(place.require("hint")));
  }

  private static Hint hint(HintJsonNode place) {
    if (place.isText()) {
      String text = place.text();
      return place.make(() -> HintText.parse(text));
    }
    place.requireFields("placement", "replication", "block-size", "lifetime", "cache");
    Hint.Builder hint = Hint.builder();
    place.optional("placement").map(HintCodec::placement).ifPresent(hint::placement);
    place.optional("replication").map(HintCodec::replication).ifPresent(hint::replication);
    place
        .optional("block-size")
        .ifPresent(
            size -> {
              long bytes = size.integer();
              size.make(() -> hint.blockSize(bytes));
            });
    place.optional("lifetime").map(HintCodec::lifetime).ifPresent(hint::lifetime);
    place.optional("cache").map(HintJsonNode::flag).ifPresent(hint::cache);
    return hint.build();
  }

  private static Placement placement(HintJsonNode place) {
    HintJsonNode kind = place.require("kind");
    return switch (kind.text()) {
      case "local" -> bare(place, new Placement.Local());
      case "spread" -> bare(place, new Placement.Spread());
      case "collocate" -> {
        place.requireFields("kind", "group", "spread");
        HintJsonNode group = place.require("group");
        String name = group.text();
        Placement.Collocate whole = group.make(() -> new Placement.Collocate(name));
        yield place.optional("spread").map(spread -> spread(whole, spread)).orElse(whole);
      }
      case "scatter" -> {
        place.requireFields("kind", "region-bytes");
        HintJsonNode region = place.require("region-bytes");
        long bytes = region.integer();
        yield region.make(() -> new Placement.Scatter(bytes));
      }
      case "nodes" -> {
        place.requireFields("kind", "hosts");
        HintJsonNode hosts = place.require("hosts");
        List<String> names = hosts.elements().stream().map(HintJsonNode::text).toList();
        yield hosts.make(() -> new Placement.Nodes(names));
      }
      default ->
          throw kind.error(
              "'" + kind.text() + "' is not a placement",
              "write local, collocate, scatter, spread or nodes");
    };
  }

  private static Placement.Collocate spread(Placement.Collocate whole, HintJsonNode spread) {
    long number = spread.integer();
    int small = (int) Math.max(-1, Math.min(number, Integer.MAX_VALUE));
    return spread.make(() -> new Placement.Collocate(whole.group(), small));
  }

  private static Placement bare(HintJsonNode place, Placement placement) {
    place.requireFields("kind");
    return placement;
  }

  private static Replication replication(HintJsonNode place) {
    place.requireFields("target", "mode");
    HintJsonNode mode = place.require("mode");
    Replication.Mode value =
        switch (mode.text().toLowerCase(Locale.ROOT)) {
          case "eager" -> Replication.Mode.EAGER;
          case "lazy" -> Replication.Mode.LAZY;
          default ->
              throw mode.error(
                  "'" + mode.text() + "' is not a replication mode", "write eager or lazy");
        };
    return place
        .optional("target")
        .map(target -> replication(target, value))
        .orElseGet(() -> new Replication(Replication.FILES_OWN, value));
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
    int small = (int) Math.max(number, Integer.MIN_VALUE);
    return target.make(() -> new Replication(small, mode));
  }

  private static Lifetime lifetime(HintJsonNode place) {
    place.requireFields("temporary", "expiry");
    boolean temporary = place.require("temporary").flag();
    @Nullable Duration expiry = place.optional("expiry").map(HintJsonNode::duration).orElse(null);
    return place.make(() -> new Lifetime(temporary, expiry));
  }
}

package dev.weir.hdfs.gather;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A gather's metadata, stored as the attribute {@value #ATTRIBUTE} of the file. The committed file
 * keeps it, so that a repeated commit recognises the first.
 *
 * @param id of the gather
 * @param regionBytes the size of a region
 * @param regions the number of regions; empty if only the commit knows it
 * @param expires when the gather may be removed
 */
record GatherManifest(String id, long regionBytes, OptionalInt regions, Instant expires) {
  static final String ATTRIBUTE = "user.weir.gather";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  byte[] toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", id).put("region-bytes", regionBytes);
    regions.ifPresent(number -> node.put("regions", number));
    return node.put("expires", expires.toString()).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The number of regions, from the manifest or else from the commit. */
  int regionCount(int requested) throws GatherException {
    if (regions.isEmpty() && requested == GatherSpec.UNKNOWN) {
      throw new GatherException(
          GatherException.Problem.WRONG_USAGE,
          "the number of regions is unknown, so the last ones could be missing; give it"
              + " at the commit (--regions)");
    }
    if (regions.isPresent() && requested != GatherSpec.UNKNOWN && requested != regions.getAsInt()) {
      throw new GatherException(
          GatherException.Problem.WRONG_USAGE,
          "the gather was begun with " + regions.getAsInt() + " regions, not for " + requested);
    }
    return regions.orElse(requested);
  }

  /**
   * Parses the metadata.
   *
   * @param source the name of the file for messages
   */
  static GatherManifest fromJson(byte[] json, String source) throws GatherException {
    try {
      JsonNode node = MAPPER.readTree(new String(json, StandardCharsets.UTF_8));
      JsonNode number = node.path("regions");
      return new GatherManifest(
          require(node.path("id").textValue(), "id"),
          require(node.path("region-bytes").numberValue(), "region-bytes").longValue(),
          number.isInt() ? OptionalInt.of(number.intValue()) : OptionalInt.empty(),
          Instant.parse(require(node.path("expires").textValue(), "expires")));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      throw new GatherException(
          GatherException.Problem.NO_SUCH_GATHER,
          "the attribute "
              + ATTRIBUTE
              + " of "
              + source
              + " is not a gather's manifest ("
              + e.getMessage()
              + "); abort the gather and begin a new one",
          e);
    }
  }

  private static <T> T require(@Nullable T value, String field) {
    if (value == null) {
      throw new IllegalArgumentException("no " + field);
    }
    return value;
  }
}

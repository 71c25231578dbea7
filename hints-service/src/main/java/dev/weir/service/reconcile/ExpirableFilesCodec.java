package dev.weir.service.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Encodes the recorded files as gzipped JSON, in pieces that fit into znodes. */
final class ExpirableFilesCodec {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** With this number even names that do not compress fit into a znode of 1 MB. */
  private static final int FILES_PER_PIECE = 4000;

  private ExpirableFilesCodec() {}

  static List<byte[]> encode(Collection<ExpirableFile> files) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    ArrayNode piece = JsonNodeFactory.instance.arrayNode();
    for (ExpirableFile file : files) {
      piece.add(encode(file));
      if (piece.size() == FILES_PER_PIECE) {
        pieces.add(gzip(piece));
        piece = JsonNodeFactory.instance.arrayNode();
      }
    }
    if (!piece.isEmpty()) {
      pieces.add(gzip(piece));
    }
    return pieces;
  }

  static List<ExpirableFile> decode(byte[] piece) throws IOException {
    List<ExpirableFile> files = new ArrayList<>();
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(piece))) {
      for (JsonNode node : MAPPER.readTree(in)) {
        files.add(decode(node));
      }
    } catch (DateTimeException e) {
      throw new IOException("the record of created files cannot be read", e);
    }
    return files;
  }

  private static ObjectNode encode(ExpirableFile file) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", file.path())
            .put("set", file.set())
            .put("owner", file.owner())
            .put("expiry", file.expiry().toString());
    Instant setExpires = file.setExpires();
    if (setExpires != null) {
      node.put("set-expires", setExpires.toString());
    }
    ExpirableFile.Seen seen = file.seen();
    if (seen != null) {
      node.put("id", seen.id()).put("due", seen.due().toString());
    }
    return node;
  }

  private static ExpirableFile decode(JsonNode node) {
    @Nullable Instant setExpires =
        node.has("set-expires") ? Instant.parse(node.path("set-expires").asText()) : null;
    ExpirableFile.@Nullable Seen seen =
        node.has("id")
            ? new ExpirableFile.Seen(
                node.path("id").asLong(), Instant.parse(node.path("due").asText()))
            : null;
    return new ExpirableFile(
        node.path("path").asText(),
        node.path("set").asText(),
        node.path("owner").asText(),
        Duration.parse(node.path("expiry").asText()),
        setExpires,
        seen);
  }

  private static byte[] gzip(JsonNode node) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(MAPPER.writeValueAsBytes(node));
    }
    return out.toByteArray();
  }
}

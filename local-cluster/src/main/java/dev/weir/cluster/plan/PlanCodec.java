package dev.weir.cluster.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Stores the plan of a cluster as a JSON file in its directory. */
public final class PlanCodec {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          // Jackson also writes what methods of records return whose names begin with "is".
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private static final int VERSION = 2;

  private PlanCodec() {}

  static String toJson(ClusterPlan plan) throws IOException {
    ObjectNode stored = MAPPER.valueToTree(plan);
    return MAPPER.writeValueAsString(stored.put("version", VERSION)) + "\n";
  }

  /** Reads a plan. Its directory is that of the file, wherever that is now. */
  static ClusterPlan fromJson(String json, Path dir) throws ClusterException {
    Path file = new ClusterFiles(dir).state();
    try {
      JsonNode stored = MAPPER.readTree(json);
      if (stored.path("version").asInt(VERSION) != VERSION) {
        throw new ClusterException(
            file + " was written by another version of weir: stop the cluster with that one");
      }
      if (!(stored instanceof ObjectNode plan)) {
        throw damaged(file, "it is no JSON object", null);
      }
      plan.put("dir", dir.toUri().toString());
      return MAPPER.treeToValue(plan, ClusterPlan.class);
    } catch (JsonProcessingException e) {
      throw damaged(file, e.getOriginalMessage(), e);
    }
  }

  private static ClusterException damaged(Path file, String why, @Nullable Exception cause) {
    return new ClusterException(
        file + " is damaged (" + why + "): it no longer says what to stop", cause);
  }

  /** Writes the plan atomically. Never overwrites another plan. */
  public static void write(ClusterPlan plan) throws IOException {
    Path file = plan.files().state();
    Path temporary = file.resolveSibling("cluster.json.tmp");
    Files.writeString(temporary, toJson(plan), StandardCharsets.UTF_8);
    Files.move(temporary, file);
  }

  /**
   * Reads the plan of the cluster in a directory.
   *
   * @param registry holds a copy, for the case that the directory was deleted or the file is
   *     damaged
   * @throws ClusterException if there is no cluster
   */
  public static ClusterPlan read(Path dir, ClusterRegistry registry) throws IOException {
    Path absolute = dir.toAbsolutePath().normalize();
    try {
      Path real = absolute.toRealPath();
      String json = Files.readString(new ClusterFiles(real).state());
      try {
        return fromJson(json, real);
      } catch (ClusterException e) {
        return registry.find(real).orElseThrow(() -> e);
      }
    } catch (NoSuchFileException e) {
      return registry
          .find(absolute)
          .orElseThrow(
              () ->
                  new ClusterException(
                      "No cluster in " + dir + ": 'weir cluster status' lists all clusters", e));
    }
  }
}

package dev.weir.cluster.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stores the plan of a cluster as a JSON file in its directory. */
public final class PlanCodec {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int VERSION = 1;

  private PlanCodec() {}

  static String toJson(ClusterPlan plan) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("version", VERSION);
    root.put("index", plan.index());
    root.put("nodes", plan.nodes());
    root.put("racks", plan.racks());
    root.put("hosts", plan.hosts().name());
    root.put("link", plan.link().toString());
    root.put("hadoop", plan.jars().hadoop().toString());
    ArrayNode plugins = root.putArray("plugins");
    plan.jars().plugins().forEach(jar -> plugins.add(jar.toString()));
    ArrayNode service = root.putArray("service");
    plan.jars().service().forEach(jar -> service.add(jar.toString()));
    root.put("daemons", plan.jars().daemons().toString());
    root.put("java", plan.jars().java().toString());
    root.put("name-nodes", plan.servers().nameNodes());
    root.put("resource-managers", plan.servers().resourceManagers());
    root.put("hint-services", plan.servers().hintServices());
    root.put("outside", plan.servers().outside());
    root.put("split-nodes", plan.servers().splitNodes());
    root.put("secure", plan.servers().secure());
    return root.toPrettyString() + "\n";
  }

  static ClusterPlan fromJson(String json, Path dir) throws ClusterException {
    Path file = new ClusterFiles(dir).state();
    try {
      JsonNode root = MAPPER.readTree(json);
      if (field(root, "version").asInt() != VERSION) {
        throw new ClusterException(
            file + " was written by another version of weir: stop the cluster with that one");
      }
      return new ClusterPlan(
          field(root, "index").asInt(),
          dir,
          field(root, "nodes").asInt(),
          field(root, "racks").asInt(),
          HostKind.valueOf(field(root, "hosts").asText()),
          LinkRate.parse(field(root, "link").asText()),
          new HadoopJars(
              Path.of(field(root, "hadoop").asText()),
              paths(field(root, "plugins")),
              paths(field(root, "service")),
              Path.of(field(root, "daemons").asText()),
              Path.of(field(root, "java").asText())),
          new DaemonLayout(
              field(root, "name-nodes").asInt(),
              field(root, "resource-managers").asInt(),
              field(root, "hint-services").asInt(),
              field(root, "outside").asBoolean(),
              field(root, "split-nodes").asBoolean(),
              field(root, "secure").asBoolean()));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new ClusterException(
          file + " is damaged (" + e.getMessage() + "): it no longer says what to stop", e);
    }
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

  private static List<Path> paths(JsonNode array) {
    List<Path> paths = new ArrayList<>();
    array.forEach(path -> paths.add(Path.of(path.asText())));
    return paths;
  }

  private static JsonNode field(JsonNode root, String name) {
    JsonNode value = root.get(name);
    if (value == null) {
      throw new IllegalArgumentException("field " + name + " is missing");
    }
    return value;
  }
}

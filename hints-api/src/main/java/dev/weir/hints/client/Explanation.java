package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why the bytes of a file are where they are.
 *
 * @param rule the rule that applies; null if none does
 * @param wanted what the rule asks for
 * @param actual the current state
 * @param differences the differences between the two, with reasons
 * @param use the use of a file whose replicas follow it; null for others
 */
public record Explanation(
    String path,
    @Nullable Source rule,
    Wanted wanted,
    Actual actual,
    List<Difference> differences,
    @Nullable Use use) {
  public Explanation {
    differences = List.copyOf(differences);
  }

  /**
   * The origin of a hint.
   *
   * @param pattern the rule's pattern
   */
  public record Source(String set, String owner, String pattern, String text) {}

  /**
   * What a rule asks for.
   *
   * @param replicas the number of replicas; 0 if the rule does not set it
   * @param nodes the node names, if the rule determines them
   * @param why an explanation as text
   */
  public record Wanted(long replicas, List<String> nodes, String why) {
    public Wanted {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The current state.
   *
   * @param replication the file's replication
   */
  public record Actual(long replication, long blockSize, List<Block> blocks) {
    public Actual {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * A block.
   *
   * @param offset its start in the file
   * @param length in bytes
   * @param nodes the nodes that hold it
   */
  public record Block(long offset, long length, List<String> nodes) {
    public Block {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * A difference.
   *
   * @param what the part that differs
   * @param why the reason
   */
  public record Difference(String what, String why) {}

  /**
   * The use of a file under {@code auto}.
   *
   * @param reads the decayed number of opens
   * @param writes the decayed number of writes
   * @param utility of one more replica
   * @param why the file has its number of replicas
   */
  public record Use(double reads, double writes, double utility, String why) {}

  public static Explanation of(JsonNode json) throws IOException {
    JsonNode wanted = json.path("wanted");
    JsonNode actual = json.path("actual");
    return new Explanation(
        JsonReader.text(json, "path"),
        json.path("rule").isObject() ? source(json.path("rule")) : null,
        new Wanted(wanted.path("replicas").asLong(0), names(wanted), wanted.path("why").asText("")),
        new Actual(
            actual.path("replication").asLong(0),
            actual.path("block-size").asLong(0),
            blocks(actual)),
        JsonReader.list(
            json,
            "differences",
            difference ->
                new Difference(
                    JsonReader.text(difference, "what"), difference.path("why").asText(""))),
        json.path("use").isObject() ? use(json.path("use")) : null);
  }

  private static Use use(JsonNode use) throws IOException {
    return new Use(
        use.path("reads").asDouble(),
        use.path("writes").asDouble(),
        use.path("utility").asDouble(),
        JsonReader.text(use, "why"));
  }

  private static Source source(JsonNode rule) throws IOException {
    return new Source(
        JsonReader.text(rule, "set"),
        JsonReader.text(rule, "owner"),
        JsonReader.text(rule, "pattern"),
        JsonReader.text(rule, "text"));
  }

  private static List<Block> blocks(JsonNode actual) throws IOException {
    if (!actual.has("blocks")) {
      return List.of();
    }
    return JsonReader.list(
        actual,
        "blocks",
        block ->
            new Block(
                JsonReader.number(block, "offset"),
                JsonReader.number(block, "length"),
                names(block)));
  }

  /** Nodes are strings, or objects with a host. */
  private static List<String> names(JsonNode json) throws IOException {
    if (!json.has("nodes")) {
      return List.of();
    }
    return JsonReader.list(
        json, "nodes", node -> node.isTextual() ? node.textValue() : JsonReader.text(node, "host"));
  }
}

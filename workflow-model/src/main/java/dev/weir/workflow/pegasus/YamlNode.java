package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A node of a YAML file with its place. Keys that are not requested are ignored.
 *
 * @param what its name in messages
 */
record YamlNode(WorkflowSource source, Node node, String what) {

  /**
   * The most aliases of collections: more than any workflow has. A file that expands exponentially
   * exceeds it soon.
   */
  private static final int MAX_ALIASES = 1000;

  static YamlNode root(WorkflowSource source) throws WorkflowException {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(source.name())
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();
    Optional<Node> node;
    try {
      node = new Compose(settings).composeString(source.text());
    } catch (MarkedYamlEngineException e) {
      throw new WorkflowException(
          source.name(),
          e.getProblemMark().map(YamlNode::place).orElse(TextPlace.START).toString(),
          "invalid YAML (" + e.getProblem() + ")",
          "correct it at that place",
          e);
    } catch (YamlEngineException e) {
      throw new WorkflowException(
          source.name(), "", "invalid YAML (" + e.getMessage() + ")", "correct it", e);
    } catch (StackOverflowError e) {
      // The composer is recursive without a limit.
      throw new WorkflowException(
          source.name(), "", "the YAML is nested too deep", "write a workflow in it", e);
    }
    if (node.isEmpty() || !(node.get() instanceof MappingNode)) {
      throw source.problem(
          TextPlace.START,
          node.isEmpty() ? "the file is empty" : "the file contains no mapping",
          "write a workflow of Pegasus: pegasus: \"5.0\", name: ..., jobs: ...");
    }
    return new YamlNode(source, node.get(), "the file");
  }

  private static TextPlace place(Mark mark) {
    return new TextPlace(mark.getLine() + 1, mark.getColumn() + 1);
  }

  TextPlace place() {
    return node.getStartMark().map(YamlNode::place).orElse(TextPlace.START);
  }

  WorkflowException problem(String problem, String remedy) {
    return source.problem(place(), problem, remedy);
  }

  Map<String, YamlNode> pairs() throws WorkflowException {
    if (!(node instanceof MappingNode mapping)) {
      throw problem(what + " is not a mapping", "write 'key: value' lines here");
    }
    Map<String, YamlNode> pairs = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      YamlNode key = new YamlNode(source, tuple.getKeyNode(), "a key of " + what);
      YamlNode value =
          new YamlNode(source, tuple.getValueNode(), "'" + key.text() + "' of " + what);
      if (pairs.put(key.text(), value) != null) {
        throw key.problem("the key '" + key.text() + "' occurs twice", "keep one of the two");
      }
    }
    return pairs;
  }

  Optional<YamlNode> get(String key) throws WorkflowException {
    return Optional.ofNullable(pairs().get(key));
  }

  YamlNode require(String key, String remedy) throws WorkflowException {
    YamlNode value = pairs().get(key);
    if (value == null) {
      throw problem(what + " has no '" + key + "'", remedy);
    }
    return value;
  }

  /** Returns the text of a scalar, regardless of its type. */
  String text() throws WorkflowException {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw problem(what + " is not a single value", "write a string or a number here");
  }

  String nonBlankText() throws WorkflowException {
    String text = text();
    if (text.isBlank()) {
      throw problem(what + " is blank", "give it a value");
    }
    return text;
  }

  Optional<String> text(String key) throws WorkflowException {
    Optional<YamlNode> value = get(key);
    return value.isEmpty() ? Optional.empty() : Optional.of(value.get().text());
  }

  /** Returns whether a key has no value. */
  private boolean isNothing() {
    return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  /** Returns the elements of a list. {@code element} is the name of an element in messages. */
  List<YamlNode> list(String key, String element) throws WorkflowException {
    Optional<YamlNode> value = get(key);
    if (value.isEmpty() || value.get().isNothing()) {
      return List.of();
    }
    if (!(value.get().node instanceof SequenceNode sequence)) {
      throw value
          .get()
          .problem(value.get().what + " is not a list", "write '- ' before each element");
    }
    List<YamlNode> elements = new ArrayList<>();
    for (Node child : sequence.getValue()) {
      elements.add(new YamlNode(source, child, element));
    }
    return elements;
  }
}

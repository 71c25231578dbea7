package dev.weir.workflow.jx;

import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads workflows in JX, the JSON with expressions that Makeflow reads with {@code --jx}. Names are
 * defined by the user, or else by {@code define} in the file.
 */
public final class JxImporter {
  private static final Pattern RULES = Pattern.compile("\"rules\"\\s*:");

  private JxImporter() {}

  /** Creates an importer. */
  public static WorkflowImporter standard() {
    return of(Evaluator.MAX_VALUES);
  }

  /**
   * Creates an importer.
   *
   * @param maxValues a workflow that evaluates to more values is refused
   */
  public static WorkflowImporter of(int maxValues) {
    return new WorkflowImporter(
        "jx",
        "JX, or its JSON",
        JxImporter::hasRules,
        List.of(".jx"),
        source -> read(source, maxValues));
  }

  /** The file begins with comments, and then an object. */
  private static boolean hasRules(WorkflowSource source) {
    boolean isObject =
        source
            .text()
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .findFirst()
            .filter(line -> line.startsWith("{"))
            .isPresent();
    return isObject && RULES.matcher(source.text()).find();
  }

  private static ImportedWorkflow read(WorkflowSource source, int maxValues)
      throws WorkflowException {
    Expression root = Parser.parse(source);
    Map<String, Expression> definitions = new HashMap<>(definitions(source, root, "define"));
    Optional<Path> arguments = source.settings().argumentsFile();
    if (arguments.isPresent()) {
      WorkflowSource file = WorkflowSource.of(arguments.get(), source.settings());
      definitions.putAll(pairs(file, Parser.parse(file)));
    }
    for (Map.Entry<String, String> given : source.settings().definitions().entrySet()) {
      WorkflowSource text =
          new WorkflowSource(
              "the definition of " + given.getKey(), given.getValue(), null, source.settings());
      definitions.put(given.getKey(), Parser.parse(text));
    }
    Evaluator evaluator = new Evaluator(source, maxValues);
    return new JxWorkflow(source, Scope.of(Map.copyOf(definitions)), evaluator).read(root);
  }

  private static Map<String, Expression> definitions(
      WorkflowSource source, Expression root, String key) throws WorkflowException {
    if (root instanceof Expression.Pairs pairs) {
      Expression define = pairs.find(key);
      return define == null ? Map.of() : pairs(source, define);
    }
    throw source.problem(
        root.place(),
        "the file does not contain an object",
        "write a workflow: {\"rules\": [...]}");
  }

  private static Map<String, Expression> pairs(WorkflowSource source, Expression expression)
      throws WorkflowException {
    if (!(expression instanceof Expression.Pairs pairs)) {
      throw source.problem(
          expression.place(), "the definitions are not an object", "write {\"NAME\": value, ...}");
    }
    Map<String, Expression> byName = new HashMap<>();
    for (Expression.Pair pair : pairs.pairs()) {
      if (!(pair.key() instanceof Expression.Constant constant)
          || !(constant.value() instanceof Value.Text name)) {
        throw source.problem(
            pair.key().place(),
            "the name of a definition is not constant",
            "write \"NAME\": value");
      }
      byName.put(name.text(), pair.value());
    }
    return byName;
  }
}

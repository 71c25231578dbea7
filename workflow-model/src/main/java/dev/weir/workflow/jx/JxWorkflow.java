package dev.weir.workflow.jx;

import dev.weir.workflow.format.DraftTask;
import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.Megabytes;
import dev.weir.workflow.format.SandboxNames;
import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.format.TaskTypes;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Pair;
import dev.weir.workflow.jx.Expression.Pairs;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Builds a workflow from the rules of a JX file. */
final class JxWorkflow {

  /** The variable whose value is the hint for a rule's outputs. */
  static final String HINT_VARIABLE = "WEIR_HINT";

  private static final Set<String> RULE_KEYS =
      Set.of(
          "command",
          "inputs",
          "outputs",
          "local_job",
          "environment",
          "category",
          "resources",
          "idempotent",
          "retries",
          "allocation",
          "workflow",
          "args");

  private final WorkflowSource source;
  private final Scope scope;
  private final Evaluator evaluator;
  private final WorkflowDraft draft;
  private final Map<String, JxObject> categories = new HashMap<>();
  private Map<String, String> environment = Map.of();
  private String defaultCategory = "default";

  JxWorkflow(WorkflowSource source, Scope scope, Evaluator evaluator) {
    this.source = source;
    this.scope = scope;
    this.evaluator = evaluator;
    this.draft = new WorkflowDraft(source, "jx");
  }

  ImportedWorkflow read(Expression root) throws WorkflowException {
    JxObject workflow = evaluated((Pairs) root);
    environment = workflow.strings("environment");
    defaultCategory = workflow.text("default_category").orElse(defaultCategory);
    Optional<JxObject> named = workflow.object("categories");
    if (named.isPresent()) {
      for (Map.Entry<String, Value> entry : named.get().table().values().entrySet()) {
        String what = "the category '" + entry.getKey() + "'";
        categories.put(entry.getKey(), JxObject.of(source, entry.getValue(), what));
      }
    }
    if (workflow.get("rules").isEmpty()) {
      throw source.problem(
          workflow.place(), "the workflow has no rules", "list them: \"rules\": [{...}, ...]");
    }
    for (Value rule : workflow.list("rules")) {
      add(JxObject.of(source, rule, "a rule"));
    }
    return draft.build(source.baseName());
  }

  /** Evaluates all keys except the definitions, which are evaluated where they are used. */
  private JxObject evaluated(Pairs root) throws WorkflowException {
    Map<String, Value> values = new LinkedHashMap<>();
    for (Pair pair : root.pairs()) {
      Value key = evaluator.evaluate(pair.key(), scope);
      switch (key.shown()) {
        case "define" -> {}
        case "rules", "environment", "categories", "default_category" ->
            values.put(key.shown(), evaluator.evaluate(pair.value(), scope));
        default -> draft.warn(key.place(), "the key \"" + key.shown() + "\" is ignored");
      }
    }
    return new JxObject(source, new Value.Table(values, root.place()), "the workflow");
  }

  private void add(JxObject rule) throws WorkflowException {
    rule.table().values().keySet().stream()
        .filter(key -> !RULE_KEYS.contains(key))
        .forEach(key -> draft.warn(rule.place(), "the key \"" + key + "\" of a rule is ignored"));
    if (rule.get("workflow").isPresent() || rule.get("makeflow").isPresent()) {
      addSubWorkflow(rule);
      return;
    }
    String line =
        rule.text("command")
            .filter(text -> !text.isBlank())
            .orElseThrow(
                () ->
                    source.problem(
                        rule.place(),
                        "a rule has no command",
                        "add \"command\": \"a shell command\""));
    ShellCommand command = new ShellCommand(line);
    Map<String, String> variables = environment(rule);
    String hint = variables.getOrDefault(HINT_VARIABLE, "");
    variables.remove(HINT_VARIABLE);
    if (rule.get("local_job").filter(value -> value.shown().equals("true")).isPresent()) {
      draft.warn("rules with local_job run on the cluster like all others");
    }
    DraftTask.Files files = files(rule, command, hint);
    draft.add(
        new DraftTask(
            "",
            rule.text("category").filter(c -> !c.equals("default")).orElse(TaskTypes.of(line)),
            command.export(variables).argv(),
            files,
            needs(rule),
            0,
            rule.place()));
  }

  private DraftTask.Files files(JxObject rule, ShellCommand command, String hint)
      throws WorkflowException {
    Map<String, String> hints = new HashMap<>();
    List<FileMention> inputs = new ArrayList<>();
    List<FileMention> outputs = new ArrayList<>();
    SandboxNames names = new SandboxNames(source);
    for (Value value : rule.list("inputs")) {
      JxFile file = file(value, "an input");
      SandboxNames.Named named = names.add(file.mention(), file.taskName());
      inputs.add(file.mention());
      if (!file.hint().isEmpty()) {
        draft.hint(file.mention(), file.hint());
      }
      command.input(named.file(), named.name());
    }
    for (Value value : rule.list("outputs")) {
      JxFile file = file(value, "an output");
      SandboxNames.Named named = names.add(file.mention(), file.taskName());
      outputs.add(file.mention());
      command.output(named.file(), named.name());
      String written = file.hint().isEmpty() ? hint : file.hint();
      if (!written.isEmpty()) {
        hints.put(file.mention().name(), written);
      }
    }
    return new DraftTask.Files(inputs, outputs, hints);
  }

  /** Adds the task that stands for the workflow of a rule. */
  private void addSubWorkflow(JxObject rule) throws WorkflowException {
    if (rule.get("makeflow").isPresent() || rule.get("command").isPresent()) {
      throw source.problem(
          rule.place(),
          "a rule has \"workflow\" and \"command\", or the older \"makeflow\"",
          "write \"workflow\": \"FILE.jx\", and \"args\": {...} if it has arguments");
    }
    Optional<Value> retries = rule.get("retries");
    if (retries.isPresent()) {
      throw source.problem(
          retries.get().place(),
          "a rule has \"retries\" and \"workflow\", whose rules have their own",
          "give \"retries\" to rules of the workflow, and remove it here");
    }
    String file = rule.text("workflow").orElseThrow();
    Map<String, String> definitions = new HashMap<>();
    Optional<JxObject> args = rule.object("args");
    if (args.isPresent()) {
      args.get().table().values().forEach((key, value) -> definitions.put(key, value.expression()));
    }
    DraftTask.Files files = files(rule, new ShellCommand(""), "");
    draft.addSubWorkflow("", new FileMention(file, rule.place()), definitions, files);
  }

  /** A file in a rule. */
  private record JxFile(FileMention mention, String taskName, String hint) {}

  private JxFile file(Value value, String what) throws WorkflowException {
    if (value instanceof Value.Text text) {
      return new JxFile(new FileMention(text.text(), text.place()), text.text(), "");
    }
    if (!(value instanceof Value.Table)) {
      throw source.problem(
          value.place(), what + " is " + value.kind(), "write the name of a file as a string");
    }
    JxObject object = JxObject.of(source, value, what);
    Optional<String> name = eitherText(object, "dag_name", "name");
    if (name.isEmpty()) {
      throw source.problem(
          object.place(),
          what + " has no \"dag_name\"",
          "write {\"dag_name\": \"its name\", \"task_name\": \"its name for the command\"}");
    }
    FileMention mention = new FileMention(name.get(), object.place());
    if (object.get("size").isPresent()) {
      draft.size(mention, object.whole("size"));
    }
    return new JxFile(
        mention,
        eitherText(object, "task_name", "source").orElse(name.get()),
        object.text("hint").orElse(""));
  }

  /** Returns the text of a key, or of its name in older files. */
  private static Optional<String> eitherText(JxObject object, String key, String older)
      throws WorkflowException {
    Optional<String> text = object.text(key);
    return text.isPresent() ? text : object.text(older);
  }

  private Map<String, String> environment(JxObject rule) throws WorkflowException {
    Map<String, String> variables = new HashMap<>(environment);
    Optional<JxObject> category = category(rule);
    if (category.isPresent()) {
      variables.putAll(category.get().strings("environment"));
    }
    variables.putAll(rule.strings("environment"));
    for (String name : variables.keySet()) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw source.problem(
            rule.place(),
            "'" + name + "' cannot be the name of an environment variable",
            "use letters, digits and '_'");
      }
    }
    return variables;
  }

  private Optional<JxObject> category(JxObject rule) throws WorkflowException {
    String name = rule.text("category").orElse(defaultCategory);
    return Optional.ofNullable(categories.get(name));
  }

  private TaskNeeds needs(JxObject rule) throws WorkflowException {
    List<JxObject> resources = new ArrayList<>();
    rule.object("resources").ifPresent(resources::add);
    Optional<JxObject> category = category(rule);
    if (category.isPresent()) {
      category.get().object("resources").ifPresent(resources::add);
    }
    TaskNeeds needs =
        new TaskNeeds(
            (int) Math.min(Integer.MAX_VALUE, resource("cores", resources)),
            bytes("memory", resources),
            bytes("disk", resources),
            resource("wall-time", resources),
            isSingleCopy(rule),
            "",
            TaskNeeds.gpus(resource("gpus", resources)));
    Optional<Value> retries = rule.get("retries");
    return retries.isEmpty() ? needs : withRetries(needs, rule, retries.get());
  }

  private TaskNeeds withRetries(TaskNeeds needs, JxObject rule, Value retries)
      throws WorkflowException {
    String expected = "a whole number from 0 to " + TaskNeeds.MOST_RETRIES;
    if (!(retries instanceof Value.Whole number)) {
      throw rule.wrong("retries", retries, expected);
    }
    try {
      return needs.withRetries(number.number());
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          retries.place().toString(),
          String.valueOf(e.getMessage()),
          "write " + expected + " here",
          e);
    }
  }

  private static boolean isSingleCopy(JxObject rule) throws WorkflowException {
    Optional<Value> idempotent = rule.get("idempotent");
    if (idempotent.isEmpty()) {
      return false;
    }
    if (idempotent.get() instanceof Value.Bool bool) {
      return !bool.truth();
    }
    throw rule.wrong("idempotent", idempotent.get(), "true or false");
  }

  private long bytes(String key, List<JxObject> all) throws WorkflowException {
    long megabytes = resource(key, all);
    OptionalLong bytes = Megabytes.toBytes((double) megabytes);
    if (bytes.isPresent()) {
      return bytes.getAsLong();
    }
    JxObject declaring =
        all.stream().filter(one -> one.get(key).isPresent()).findFirst().orElseThrow();
    throw source.problem(
        declaring.get(key).map(Value::place).orElseGet(declaring::place),
        "\"" + key + "\" of " + declaring.what() + " is too large",
        Megabytes.REMEDY);
  }

  /** Returns a resource from the first object that contains it. */
  private long resource(String key, List<JxObject> all) throws WorkflowException {
    for (JxObject resources : all) {
      if (resources.get(key).isPresent()) {
        return resources.whole(key);
      }
    }
    return 0;
  }
}

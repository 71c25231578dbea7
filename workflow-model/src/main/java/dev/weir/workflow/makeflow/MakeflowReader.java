package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.DraftTask;
import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.SandboxNames;
import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.format.TaskTypes;
import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.makeflow.MakeflowLexer.Word;
import dev.weir.workflow.makeflow.RuleDraft.RuleFile;
import dev.weir.workflow.makeflow.Variables.Reader;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads workflows in the make-like language of Makeflow, line by line. Not thread-safe. */
public final class MakeflowReader {
  private static final String FORMAT = "makeflow";

  /**
   * A line with files and a colon, without an equals sign before it, followed by an indented line.
   */
  private static final Pattern RULE =
      Pattern.compile(
          "(?m)^[^\\s#:={}<\\[][^#:={}\\n]*:(?!//)[^\\n]*\\n([ \\t]*(#[^\\n]*)?\\n)*[ \\t@]");

  public static final WorkflowImporter IMPORTER =
      new WorkflowImporter(
          FORMAT,
          "Makeflow",
          MakeflowReader::hasRule,
          List.of(".mf", "makeflow"),
          source -> new MakeflowReader(source).read());

  /** The variable whose value is the hint for a rule's outputs. */
  static final String HINT_VARIABLE = "WEIR_HINT";

  /** The variable that names the results of the workflow. */
  private static final String RESULTS_VARIABLE = "MAKEFLOW_OUTPUTS";

  private static final Pattern ASSIGNMENT =
      Pattern.compile("[ \\t]*@?[ \\t]*([A-Za-z_][A-Za-z0-9_]*)[ \\t]*(\\+?)=(?!=)");
  private static final Pattern HINT = Pattern.compile("#[ \\t]*weir-hint:[ \\t]*(.*)");
  private static final Pattern MODIFIER = Pattern.compile("(LOCAL|MAKEFLOW)(\\s+|$)");

  private final WorkflowSource source;
  private final WorkflowDraft draft;
  private final Cursor cursor;
  private final Variables variables;
  private final MakeflowLexer texts;
  private final List<RuleDraft> rules = new ArrayList<>();
  private final Set<String> exported = new LinkedHashSet<>();
  private @Nullable RuleDraft open;
  private String category = Variables.DEFAULT_CATEGORY;
  private TextPlace resultsPlace = TextPlace.START;

  private static boolean hasRule(WorkflowSource source) {
    String text = source.text().stripLeading();
    boolean other = text.startsWith("{") || text.startsWith("<") || text.startsWith("---");
    return !other && RULE.matcher(source.text()).find();
  }

  private MakeflowReader(WorkflowSource source) {
    this.source = source;
    this.draft = new WorkflowDraft(source, FORMAT);
    this.cursor = Cursor.of(source.text());
    this.variables = new Variables(source.settings().environment());
    this.texts = new MakeflowLexer(source, variables);
  }

  private ImportedWorkflow read() throws WorkflowException {
    while (!cursor.atEnd()) {
      line();
    }
    requireCommand();
    for (RuleDraft rule : rules) {
      add(rule);
    }
    results();
    return draft.build(source.baseName());
  }

  /**
   * Marks the files that Makeflow's garbage collection keeps as results, and others that rules
   * write and read as temporary. An output that no rule reads stays a result: a misspelled name in
   * the list must not delete it.
   */
  private void results() throws WorkflowException {
    String names =
        variables.findWritten(reader(), RESULTS_VARIABLE).map(MakeflowReader::unquoted).orElse("");
    for (String name : names.strip().split("[ \\t]+", -1)) {
      if (!name.isEmpty()) {
        FileMention file = new FileMention(unquoted(name), resultsPlace);
        draft.result(file);
        draft.expect(file, "its name in " + RESULTS_VARIABLE + " is ignored");
      }
    }
    if (!names.isBlank()) {
      Set<String> read = new HashSet<>();
      rules.forEach(rule -> rule.inputs.forEach(input -> read.add(input.mention().name())));
      for (RuleDraft rule : rules) {
        for (RuleFile output : rule.outputs) {
          if (read.contains(output.mention().name())) {
            draft.temporary(output.mention());
          }
        }
      }
    }
  }

  private Reader reader() {
    return open != null ? open.reader() : new Reader(rules.size(), category, Map.of());
  }

  private void line() throws WorkflowException {
    String line = cursor.lookAtLine();
    String content = line.strip();
    if (content.isEmpty()) {
      cursor.restOfLine();
      cursor.next();
    } else if (content.startsWith("#")) {
      comment(content);
    } else if (line.startsWith("\t")) {
      command();
    } else if (isDirective(content)) {
      new Directives(source, draft).read(cursor, this::assign);
    } else if (content.equals("export") || content.matches("export[ \\t].*")) {
      export();
    } else if (ASSIGNMENT.matcher(line).lookingAt()) {
      assignment();
    } else if (open != null && line.startsWith(" ")) {
      command();
    } else {
      rule();
    }
  }

  private static boolean isDirective(String content) {
    return content.matches("\\.(MAKEFLOW|SIZE|UMBRELLA)([ \\t].*)?");
  }

  private void comment(String content) throws WorkflowException {
    TextPlace place = cursor.place();
    cursor.restOfLine();
    cursor.next();
    Matcher hint = HINT.matcher(content);
    if (hint.matches()) {
      String[] words = hint.group(1).strip().split("[ \\t]+", 2);
      if (words.length < 2) {
        throw source.problem(
            place, "the comment contains no hint", "write it as # weir-hint: FILE broadcast=8");
      }
      FileMention file = new FileMention(words[0], place);
      draft.hint(file, words[1]);
      draft.expect(file, "its hint is ignored");
    }
  }

  private void assignment() throws WorkflowException {
    cursor.skipBlanks();
    if (cursor.peek() == '@') {
      cursor.next();
      cursor.skipBlanks();
    }
    assignment(name());
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    while (Character.isLetterOrDigit(cursor.peek()) || cursor.peek() == '_') {
      name.append(cursor.next());
    }
    return name.toString();
  }

  private void assignment(String name) throws WorkflowException {
    if (name.equals(RESULTS_VARIABLE)) {
      resultsPlace = cursor.place();
    }
    cursor.skipBlanks();
    boolean appends = cursor.peek() == '+';
    cursor.skip(appends ? 2 : 1);
    String value = texts.value(cursor, reader());
    Optional<String> before =
        appends ? variables.findWritten(reader(), name) : Optional.<String>empty();
    assign(name, before.map(old -> old + " " + value).orElse(value));
  }

  private void assign(String name, String value) {
    if (name.equals("CATEGORY") || name.equals("SYMBOL")) {
      if (open != null) {
        open.category = unquoted(value);
      } else {
        category = unquoted(value);
      }
    } else if (open != null) {
      open.own.put(name, value);
    } else {
      variables.set(reader(), name, value);
    }
  }

  static String unquoted(String value) {
    boolean quoted =
        value.length() >= 2
            && (value.startsWith("\"") || value.startsWith("'"))
            && value.charAt(0) == value.charAt(value.length() - 1);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  private void export() throws WorkflowException {
    cursor.skipBlanks();
    cursor.skip("export".length());
    cursor.skipBlanks();
    if (ASSIGNMENT.matcher(cursor.lookAtLine()).lookingAt()) {
      String name = name();
      exported.add(name);
      assignment(name);
      return;
    }
    TextPlace place = cursor.place();
    String rest = cursor.restOfLine();
    cursor.next();
    for (String name : rest.replaceFirst("#.*", "").strip().split("[ \\t]+", -1)) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw source.problem(
            place,
            "'" + name + "' cannot be the name of an exported variable",
            "write export NAME or export NAME=value");
      }
      exported.add(name);
    }
  }

  private void rule() throws WorkflowException {
    requireCommand();
    TextPlace place = cursor.place();
    RuleDraft rule = new RuleDraft(rules.size(), place, category);
    List<Word> words = texts.files(cursor, rule.reader());
    if (words.stream().noneMatch(word -> word.kind() == Word.Kind.COLON)) {
      throw source.problem(
          place,
          "this is not a rule, a variable or a directive",
          "write rules as 'outputs: inputs' with the command below, after a tab");
    }
    fill(rule, words);
    if (rule.outputs.isEmpty()) {
      throw source.problem(place, "the rule has no output", "name its outputs before the ':'");
    }
    open = rule;
  }

  private void fill(RuleDraft rule, List<Word> words) throws WorkflowException {
    boolean outputs = true;
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      if (word.kind() == Word.Kind.COLON) {
        if (!outputs) {
          throw source.problem(
              word.place(),
              "the rule has a second ':'",
              "use names without colons, which HDFS refuses");
        }
        outputs = false;
        continue;
      }
      String sandboxName = word.text();
      boolean renamed = i + 1 < words.size() && words.get(i + 1).kind() == Word.Kind.ARROW;
      if (renamed) {
        if (i + 2 >= words.size() || words.get(i + 2).kind() != Word.Kind.NAME) {
          throw source.problem(
              words.get(i + 1).place(), "no name follows the '->'", "write name->remote_name");
        }
        sandboxName = words.get(i + 2).text();
        i += 2;
      }
      if (word.kind() != Word.Kind.NAME || word.text().isEmpty()) {
        throw source.problem(word.place(), "the name of a file is missing", "write it here");
      }
      (outputs ? rule.outputs : rule.inputs)
          .add(new RuleFile(new FileMention(word.text(), word.place()), sandboxName));
    }
  }

  private void command() throws WorkflowException {
    TextPlace place = cursor.place();
    RuleDraft rule = open;
    if (rule == null) {
      throw source.problem(
          place,
          "a command without a rule: each rule has one command",
          "join several commands with ';', or write 'outputs: inputs' above this one");
    }
    String command = texts.command(cursor, rule.reader());
    Matcher modifier = MODIFIER.matcher(command);
    while (modifier.lookingAt()) {
      if (modifier.group(1).equals("MAKEFLOW")) {
        throw source.problem(
            place,
            "the rule runs another Makeflow, which is not supported",
            "put the rules of that Makeflow into this file");
      }
      draft.warn("rules with LOCAL run on the cluster like all others");
      command = command.substring(modifier.end());
      modifier = MODIFIER.matcher(command);
    }
    if (command.isBlank()) {
      return;
    }
    rule.command = command;
    rules.add(rule);
    open = null;
  }

  private void requireCommand() throws WorkflowException {
    if (open != null) {
      throw source.problem(
          open.place, "the rule has no command", "write it on the line below, after a tab");
    }
  }

  private void add(RuleDraft rule) throws WorkflowException {
    ShellCommand command = new ShellCommand(rule.command);
    Map<String, String> environment = new LinkedHashMap<>();
    for (String name : exported) {
      Optional<String> value = variables.find(rule.reader(), name);
      if (value.isPresent()) {
        environment.put(name, unquoted(value.get()));
      } else {
        draft.warn("the exported variable " + name + " has no value and is not set");
      }
    }
    Optional<String> hint = variables.findWritten(rule.reader(), HINT_VARIABLE);
    Map<String, String> hints = new HashMap<>();
    List<FileMention> inputs = new ArrayList<>();
    List<FileMention> outputs = new ArrayList<>();
    SandboxNames names = new SandboxNames(source);
    for (RuleFile file : rule.inputs) {
      SandboxNames.Named named = names.add(file.mention(), file.sandboxName());
      inputs.add(file.mention());
      command.input(named.file(), named.name());
    }
    for (RuleFile file : rule.outputs) {
      SandboxNames.Named named = names.add(file.mention(), file.sandboxName());
      outputs.add(file.mention());
      command.output(named.file(), named.name());
      hint.ifPresent(text -> hints.put(file.mention().name(), unquoted(text)));
    }
    boolean named = !rule.category.equals(Variables.DEFAULT_CATEGORY);
    draft.add(
        new DraftTask(
            "",
            named ? rule.category : TaskTypes.of(rule.command),
            command.export(environment).argv(),
            new DraftTask.Files(inputs, outputs, hints),
            new Resources(source, variables).needs(rule),
            0,
            rule.place));
  }
}

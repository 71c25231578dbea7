package dev.weir.workflow.imports;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes small workflows in each format, including invalid ones. */
public enum SampleFormat {
  WFFORMAT("diamond.json", "{\"name\": \"w\", \"schemaVersion\": \"1.5\",\n \"workflow\": {]") {
    @Override
    String write(List<SampleTask> tasks) {
      Set<String> files = new LinkedHashSet<>();
      tasks.forEach(task -> task.inputs().forEach(file -> files.add(normal(file))));
      tasks.forEach(task -> task.outputs().forEach(file -> files.add(normal(file))));
      return "{\"name\": \"sample\", \"schemaVersion\": \"1.5\", \"workflow\": {\n"
          + "\"specification\": {\"tasks\": ["
          + join(
              tasks,
              task ->
                  "{\"id\": "
                      + json(task.id())
                      + ", \"name\": \"t\",\n \"inputFiles\": "
                      + list(task.inputs())
                      + ",\n \"outputFiles\": "
                      + list(task.outputs())
                      + "}")
          + "],\n\"files\": ["
          + files.stream()
              .map(file -> "{\"id\": " + json(file) + ", \"sizeInBytes\": 5}")
              .collect(Collectors.joining(",\n"))
          + "]}}}";
    }
  },

  JX("diamond.jx", "{\"rules\": [\n {\"command\": \"true\" \"outputs\": []}]}") {
    @Override
    String write(List<SampleTask> tasks) {
      return "{\"rules\": ["
          + join(
              tasks,
              task ->
                  "{\"command\": \"true\",\n \"category\": \"t\",\n \"inputs\": "
                      + list(task.inputs())
                      + ",\n \"outputs\": "
                      + list(task.outputs())
                      + "}")
          + "]}";
    }
  },

  MAKEFLOW("diamond.mf", "a: b\n\ttrue\n\nc: 'd\n\ttrue\n") {
    @Override
    String write(List<SampleTask> tasks) {
      return "CATEGORY=t\n"
          + tasks.stream()
              .map(task -> names(task.outputs()) + ": " + names(task.inputs()) + "\n\ttrue\n")
              .collect(Collectors.joining("\n"));
    }

    private String names(List<String> files) {
      return files.stream()
          .map(file -> file.replaceAll("[\\\\ \t'\"#$:]|->", "\\\\$0"))
          .collect(Collectors.joining(" "));
    }
  },

  PEGASUS("diamond.yml", "pegasus: \"5.0\"\nname: w\njobs:\n  - {id: a, name: [}\n") {
    @Override
    String write(List<SampleTask> tasks) {
      return "pegasus: \"5.0\"\nname: sample\njobs:\n"
          + tasks.stream()
              .map(
                  task ->
                      "  - {type: job, id: "
                          + json(task.id())
                          + ", name: t, arguments: [],\n     uses: ["
                          + uses(task)
                          + "]}\n")
              .collect(Collectors.joining());
    }

    private String uses(SampleTask task) {
      return task.uses((file, link) -> "{lfn: " + json(file) + ", type: " + link + "}")
          .collect(Collectors.joining(",\n            "));
    }
  },

  DAX("diamond.dax", "<adag name=\"w\">\n<job id=\"a\" name=\"t\"></adag>") {
    @Override
    String write(List<SampleTask> tasks) {
      return "<adag name=\"sample\">\n"
          + tasks.stream()
              .map(
                  task ->
                      "<job id="
                          + xml(task.id())
                          + " name=\"t\">\n"
                          + task.uses(
                                  (file, link) ->
                                      "<uses name=" + xml(file) + " link=\"" + link + "\"/>\n")
                              .collect(Collectors.joining())
                          + "</job>\n")
              .collect(Collectors.joining())
          + "</adag>";
    }
  };

  /** An unpaired surrogate, which files can only express with an escape. */
  static final String HALF = Character.toString(0xd800);

  private final String resource;
  private final String broken;

  SampleFormat(String resource, String broken) {
    this.resource = resource;
    this.broken = broken;
  }

  /** Writes a workflow of the given tasks. */
  abstract String write(List<SampleTask> tasks);

  /**
   * Writes a workflow of one task with a declared memory, in formats that can refuse amounts.
   *
   * @param amount as the format writes it, in MB
   */
  String needing(String amount) {
    String text = write(List.of(new SampleTask("t-1", List.of(), List.of("out"))));
    return switch (this) {
      case WFFORMAT -> throw new IllegalArgumentException(name());
      case JX ->
          text.replace("\"command\"", "\"resources\": {\"memory\": " + amount + "}, \"command\"");
      case MAKEFLOW -> "MEMORY=" + amount + "\n" + text;
      case PEGASUS ->
          text.replace("uses:", "profiles: {pegasus: {memory: \"" + amount + "\"}}, uses:");
      case DAX ->
          text.replace(
              "</job>",
              "<profile namespace=\"pegasus\" key=\"memory\">" + amount + "</profile></job>");
    };
  }

  /**
   * Writes a workflow of one task with a command, in formats without catalogs of programs.
   *
   * @param line for a shell
   */
  String running(String line) {
    String text = write(List.of(new SampleTask("t-1", List.of(), List.of("out"))));
    return switch (this) {
      case WFFORMAT ->
          withExecution(
              text,
              "\"command\": {\"program\": \"sh\", \"arguments\": [\"-c\", " + json(line) + "]}");
      case JX -> text.replace("\"true\"", json(line));
      case MAKEFLOW -> text.replace("true", line);
      case PEGASUS, DAX -> throw new IllegalArgumentException(name());
    };
  }

  /**
   * Writes a workflow of one task that writes {@code out}, in formats in which rules can rename
   * files.
   *
   * @param names names of its inputs in the workflow and in the sandbox, alternating
   */
  String renaming(String... names) {
    List<String> inputs = new ArrayList<>();
    for (int i = 0; i < names.length; i += 2) {
      inputs.add(
          this == JX
              ? "{\"dag_name\": " + json(names[i]) + ", \"task_name\": " + json(names[i + 1]) + "}"
              : names[i] + "->" + names[i + 1]);
    }
    return switch (this) {
      case JX ->
          "{\"rules\": [{\"command\": \"true\", \"outputs\": [\"out\"], \"inputs\": "
              + inputs
              + "}]}";
      case MAKEFLOW -> "out: " + String.join(" ", inputs) + "\n\ttrue\n";
      case WFFORMAT, PEGASUS, DAX -> throw new IllegalArgumentException(name());
    };
  }

  private static String withExecution(String text, String keys) {
    return text.substring(0, text.length() - 2)
        + ", \"execution\": {\"tasks\": [{\"id\": \"t-1\", "
        + keys
        + "}]}}}";
  }

  /** Returns the name of the resource with the diamond. */
  public String resource() {
    return resource;
  }

  /** Returns a text with an error whose line and column are known. */
  String broken() {
    return broken;
  }

  String format() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Each file is declared once. */
  private static String normal(String file) {
    return file.replaceFirst("^\\.?/", "").replace("//", "/");
  }

  private static String join(List<SampleTask> tasks, Function<SampleTask, String> writer) {
    return tasks.stream().map(writer).collect(Collectors.joining(",\n"));
  }

  private static String list(List<String> names) {
    return names.stream().map(SampleFormat::json).collect(Collectors.joining(", ", "[", "]"));
  }

  static String json(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            .replace("\0", "\\u0000")
            .replace(HALF, "\\ud800")
        + '"';
  }

  private static String xml(String text) {
    return '"'
        + text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace("\"", "&quot;")
            .replace("\n", "&#10;")
            .replace("\t", "&#9;")
        + '"';
  }
}

package dev.weir.cli.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.shape.WorkflowShape;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = {
      "Describes a workflow.",
      "It prints tasks by type, the width of the graph, the longest chain of tasks,"
          + " and the sizes of files."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir workflow show montage.json", "", WorkflowCommand.CODES})
final class ShowWorkflow implements Callable<Integer> {
  private static final int ENDS = 3;

  /** Longer than the age of the Earth. Such a number is a mistake and is printed in short form. */
  private static final double MANY_SECONDS = 1e18;

  @Spec private CommandSpec spec;
  @Mixin private WorkflowOptions options;

  @Parameters(paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    ImportedWorkflow imported = options.read(file, spec.commandLine().getErr());
    WorkflowShape shape = WorkflowShape.of(imported.workflow());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(asJson(imported, shape)));
    } else {
      print(out, imported, shape);
    }
    out.flush();
    return ExitCode.DONE;
  }

  private static void print(PrintWriter out, ImportedWorkflow imported, WorkflowShape shape) {
    Workflow workflow = imported.workflow();
    out.println(PrintableText.of(workflow.name()) + " (" + imported.format() + ")");
    out.println();
    Table types = new Table("TYPE", "TASKS#", "SECONDS#");
    shape.types().forEach(type -> types.row(type.type(), type.tasks(), seconds(type.seconds())));
    types.row("all", workflow.tasks().size(), seconds(shape.totalSeconds()));
    out.println(types);
    Table files = new Table("FILES", "NUMBER#", "SIZE#");
    row(files, "inputs", shape.inputs());
    row(files, "intermediate", shape.intermediates());
    row(files, "outputs", shape.outputs());
    out.println(files);
    out.println(
        "Widths: %s (at most %s side by side)"
            .formatted(widths(shape.widths()), Collections.max(shape.widths())));
    out.println(
        "Longest chain: "
            + shape.criticalPath().size()
            + " tasks, "
            + seconds(shape.criticalSeconds())
            + " s: "
            + PrintableText.of(chain(shape.criticalPath())));
  }

  private static void row(Table table, String name, WorkflowShape.Files files) {
    table.row(name, files.count(), Sizes.of(files.bytes()));
  }

  private static String widths(List<Integer> widths) {
    return String.join(", ", widths.stream().map(String::valueOf).toList());
  }

  private static String chain(List<String> path) {
    return path.size() <= 2 * ENDS + 1
        ? String.join(" -> ", path)
        : String.join(" -> ", path.subList(0, ENDS))
            + " -> ... -> "
            + String.join(" -> ", path.subList(path.size() - ENDS, path.size()));
  }

  private static String seconds(double seconds) {
    return seconds < MANY_SECONDS
        ? String.format(Locale.ROOT, "%.1f", seconds)
        : String.format(Locale.ROOT, "%.1e", seconds);
  }

  private static JsonNode asJson(ImportedWorkflow imported, WorkflowShape shape) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("name", imported.workflow().name());
    root.put("format", imported.format());
    root.put("tasks", imported.workflow().tasks().size());
    ArrayNode types = root.putArray("types");
    shape
        .types()
        .forEach(
            type ->
                types
                    .addObject()
                    .put("type", type.type())
                    .put("tasks", type.tasks())
                    .put("seconds", type.seconds()));
    ArrayNode widths = root.putArray("widths");
    shape.widths().forEach(widths::add);
    ObjectNode critical = root.putObject("critical-path").put("seconds", shape.criticalSeconds());
    ArrayNode path = critical.putArray("tasks");
    shape.criticalPath().forEach(path::add);
    root.put("seconds", shape.totalSeconds());
    ObjectNode files = root.putObject("files");
    files(files.putObject("inputs"), shape.inputs());
    files(files.putObject("intermediates"), shape.intermediates());
    files(files.putObject("outputs"), shape.outputs());
    ArrayNode warnings = root.putArray("warnings");
    imported.warnings().forEach(warnings::add);
    return root;
  }

  private static void files(ObjectNode node, WorkflowShape.Files files) {
    node.put("count", files.count()).put("bytes", files.bytes());
  }
}

package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes workflows in WfFormat 1.6. The same workflow gives the same bytes. The format stores
 * commands in the record of an execution, so one is written although nothing has run. Its makespan
 * is 0 and its time is the epoch.
 */
public final class WfFormatWriter {

  /**
   * The written version. Tools accept only the newest version. Except for the version and the
   * characters of ids, the output is also valid in 1.5.
   */
  public static final String VERSION = "1.6";

  /** The key of Weir's extension, in a file or in an executed task. */
  public static final String EXTENSION = "weir";

  /**
   * The key of an executed task's memory. In the extension it is the memory that the task needs.
   */
  public static final String MEMORY = "memoryInBytes";

  /** The key of the disk space of a task, in the extension. */
  static final String DISK = "diskInBytes";

  /** The key of a task's time limit, in the extension. */
  static final String WALL_TIME = "wallTimeInSeconds";

  /** The key, in the extension, of whether two attempts at a task may run at the same time. */
  static final String IDEMPOTENT = "idempotent";

  /** The key of the image of a task's container, in the extension. */
  static final String CONTAINER = "container";

  /** The key of amounts of further resource types, in the extension. */
  static final String RESOURCES = "resources";

  /** The key of how often a task is retried after a failure of its command, in the extension. */
  static final String RETRIES = "retries";

  /** The key of the number of containers in which a task runs, in the extension. */
  static final String CONTAINERS = "containers";

  private static final ObjectMapper JSON = new ObjectMapper();

  private WfFormatWriter() {}

  /**
   * Writes a workflow to a file.
   *
   * @param file the file, which is replaced if it exists
   */
  public static void write(Workflow workflow, Path file) throws IOException {
    Files.writeString(file, toJson(workflow));
  }

  /** Writes a workflow as indented JSON with a line end. */
  public static String toJson(Workflow workflow) {
    ObjectNode root =
        JSON.createObjectNode().put("name", workflow.name()).put("schemaVersion", VERSION);
    ObjectNode parts = root.putObject("workflow");
    specification(workflow, parts.putObject("specification"));
    execution(workflow, parts.putObject("execution"));
    return root.toPrettyString() + "\n";
  }

  private static void specification(Workflow workflow, ObjectNode specification) {
    WorkflowGraph graph = workflow.graph();
    ArrayNode tasks = specification.putArray("tasks");
    for (Task task : written(workflow)) {
      ObjectNode node = tasks.addObject().put("name", task.type()).put("id", task.id());
      strings(node, "parents", ids(graph.parents(task.id()), join -> graph.parents(join.id())));
      strings(node, "children", ids(graph.children(task.id()), join -> graph.children(join.id())));
      strings(node, "inputFiles", task.mentionedInputs());
      strings(node, "outputFiles", task.outputs());
    }
    ArrayNode files = specification.putArray("files");
    workflow.files().values().stream()
        .filter(file -> FileRegion.parse(file.id()).isEmpty())
        .forEach(
            file -> {
              ObjectNode node =
                  files.addObject().put("id", file.id()).put("sizeInBytes", file.sizeBytes());
              extension(file, node);
            });
  }

  private static void extension(DataFile file, ObjectNode node) {
    if (file.sizeKnown() && file.hint().isEmpty()) {
      return;
    }
    ObjectNode extension = node.putObject(WfDocument.EXTENSION);
    if (!file.sizeKnown()) {
      // The schema requires a size.
      extension.put(WfDocument.SIZE, WfDocument.UNKNOWN);
    }
    if (!file.hint().isEmpty()) {
      extension.put("hint", file.hint());
    }
  }

  private static void execution(Workflow workflow, ObjectNode execution) {
    execution.put("makespanInSeconds", 0).put("executedAt", "1970-01-01T00:00:00Z");
    ArrayNode tasks = execution.putArray("tasks");
    for (Task task : written(workflow)) {
      ObjectNode node =
          tasks.addObject().put("id", task.id()).put("runtimeInSeconds", task.runtimeSeconds());
      if (!task.command().isEmpty()) {
        List<String> command = task.command();
        ObjectNode commandNode = node.putObject("command").put("program", command.get(0));
        strings(commandNode, "arguments", command.subList(1, command.size()));
      }
      needs(task.needs(), node);
    }
  }

  private static void needs(TaskNeeds needs, ObjectNode node) {
    if (needs.cores() > 0) {
      node.put("coreCount", needs.cores());
    }
    if (needs.memoryBytes() > 0) {
      node.put(MEMORY, needs.memoryBytes());
    }
    ObjectNode extension = JSON.createObjectNode();
    if (needs.diskBytes() > 0) {
      extension.put(DISK, needs.diskBytes());
    }
    if (needs.timeLimitSeconds() > 0) {
      extension.put(WALL_TIME, needs.timeLimitSeconds());
    }
    if (needs.singleCopy()) {
      extension.put(IDEMPOTENT, false);
    }
    if (!needs.container().isEmpty()) {
      extension.put(CONTAINER, needs.container());
    }
    if (!needs.resources().isEmpty()) {
      ObjectNode amounts = extension.putObject(RESOURCES);
      new TreeMap<>(needs.resources()).forEach(amounts::put);
    }
    if (needs.attempts() > 0) {
      extension.put(RETRIES, needs.attempts() - 1);
    }
    if (needs.containers() > 0) {
      extension.put(CONTAINERS, needs.containers());
    }
    if (!extension.isEmpty()) {
      node.set(WfDocument.EXTENSION, extension);
    }
  }

  /** Returns the tasks to write. Joins follow from the names of regions. */
  private static List<Task> written(Workflow workflow) {
    return workflow.tasks().stream().filter(task -> !task.joinsRegions()).toList();
  }

  private static List<String> ids(List<Task> tasks, Function<Task, List<Task>> beyond) {
    return tasks.stream()
        .flatMap(task -> task.joinsRegions() ? beyond.apply(task).stream() : Stream.of(task))
        .map(Task::id)
        .distinct()
        .toList();
  }

  private static void strings(ObjectNode node, String key, List<String> values) {
    ArrayNode array = node.putArray(key);
    values.forEach(array::add);
  }
}

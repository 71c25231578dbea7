package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Converts WfFormat 1.4 to 1.5. In 1.4 a task has its command, its run time and the sizes of its
 * files, and refers to other tasks by id or by name.
 */
final class WfFormat14 {
  private static final String VERSION = "1.4";
  private static final String SCHEMA_VERSION = "schemaVersion";
  private static final String WORKFLOW = "workflow";
  private static final String TASKS = "tasks";
  private static final String FILES = "files";
  private static final String NAME = "name";
  private static final String ID = "id";
  private static final String SIZE = "sizeInBytes";

  private final ArrayNode tasks = array();
  private final ArrayNode executions = array();
  private final ArrayNode files = array();
  private final Set<String> declared = new HashSet<>();

  /** Ids by the names of tasks. */
  private final Map<String, String> ids = new HashMap<>();

  private WfFormat14() {}

  /** Returns whether a document is in WfFormat 1.4. */
  static boolean is(JsonNode root) {
    return root.path(SCHEMA_VERSION).asText().equals(VERSION);
  }

  /** Returns the same workflow in WfFormat 1.5. */
  static JsonNode upgraded(JsonNode root) {
    return new WfFormat14().upgrade(root);
  }

  private JsonNode upgrade(JsonNode root) {
    JsonNode old = root.path(WORKFLOW).path(TASKS);
    mapNames(old);
    old.forEach(this::add);
    ObjectNode upgraded = root.deepCopy();
    upgraded.put(SCHEMA_VERSION, "1.5");
    ObjectNode workflow = upgraded.putObject(WORKFLOW);
    ObjectNode specification = workflow.putObject("specification");
    specification.set(TASKS, tasks);
    specification.set(FILES, files);
    workflow.putObject("execution").set(TASKS, executions);
    return upgraded;
  }

  /** Names that several tasks share, such as the program's, refer to no task. */
  private void mapNames(JsonNode old) {
    Set<String> seen = new HashSet<>();
    for (JsonNode task : old) {
      String name = task.path(NAME).asText();
      if (seen.add(name)) {
        ids.put(name, id(task));
      } else {
        ids.remove(name);
      }
    }
  }

  /** A task without an id is identified by its name. */
  private static String id(JsonNode task) {
    return task.path(task.has(ID) ? ID : NAME).asText();
  }

  private void add(JsonNode task) {
    ObjectNode specified = tasks.addObject();
    String id = id(task);
    specified.put(ID, id);
    specified.set(NAME, task.path(task.has("category") ? "category" : NAME));
    specified.set("parents", references(task.path("parents")));
    specified.set("children", references(task.path("children")));
    ArrayNode inputs = specified.putArray("inputFiles");
    ArrayNode outputs = specified.putArray("outputFiles");
    for (JsonNode file : task.path(FILES)) {
      (file.path("link").asText().equals("output") ? outputs : inputs).add(file.path(NAME));
      declare(file);
    }
    ObjectNode execution = executions.addObject();
    execution.put(ID, id);
    copy(task, "runtimeInSeconds", execution, "runtimeInSeconds");
    copy(task, "command", execution, "command");
    copy(task, "cores", execution, "coreCount");
    copy(task, "memoryInBytes", execution, "memoryInBytes");
  }

  private ArrayNode references(JsonNode names) {
    ArrayNode references = array();
    for (JsonNode name : names) {
      references.add(ids.getOrDefault(name.asText(), name.asText()));
    }
    return references;
  }

  /** Declares a file once. Each task that reads or writes it repeats its size. */
  private void declare(JsonNode file) {
    if (declared.add(file.path(NAME).asText())) {
      ObjectNode declaration = files.addObject();
      declaration.set(ID, file.path(NAME));
      declaration.set(SIZE, file.path(SIZE));
    }
  }

  private static void copy(JsonNode from, String key, ObjectNode to, String newKey) {
    if (from.has(key)) {
      to.set(newKey, from.path(key));
    }
  }

  private static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }
}

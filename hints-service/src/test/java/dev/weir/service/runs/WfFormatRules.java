package dev.weir.service.runs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rules of WfFormat 1.6 for an instance, from its documentation and the validator of WfCommons.
 * Version 1.5 allows shorter ids. The schema itself is not part of this project.
 */
final class WfFormatRules {
  private static final Pattern ID = Pattern.compile("[0-9a-zA-Z_.#:/-]+");

  private final List<String> breaches = new ArrayList<>();
  private final Map<String, JsonNode> tasks;
  private final Set<String> files;
  private final JsonNode execution;

  private WfFormatRules(JsonNode instance) {
    JsonNode workflow = instance.path("workflow");
    text(instance, "name");
    text(instance, "schemaVersion");
    this.tasks = unique(workflow.path("specification").path("tasks"), "id");
    this.files = unique(workflow.path("specification").path("files"), "id").keySet();
    this.execution = workflow.path("execution");
    workflow.path("specification").path("files").forEach(this::file);
  }

  /**
   * Checks an instance.
   *
   * @return the violations, one line each; empty if there are none
   */
  static List<String> breaches(JsonNode instance) {
    WfFormatRules rules = new WfFormatRules(instance);
    rules.tasks.forEach(rules::specified);
    rules.executed();
    return rules.breaches;
  }

  private void file(JsonNode file) {
    require(file.path("sizeInBytes"), "sizeInBytes", n -> n.canConvertToLong() && n.asLong() >= 0);
  }

  private void specified(String id, JsonNode task) {
    text(task, "name");
    for (String file : ids(task, "inputFiles", "outputFiles")) {
      if (!files.contains(file)) {
        breaches.add("file of " + id + " is not declared: " + file);
      }
    }
    for (JsonNode parent : task.path("parents")) {
      related(id, parent.asText(), "children");
    }
    for (JsonNode child : task.path("children")) {
      related(id, child.asText(), "parents");
    }
    if (ids(task, "parents", "children").contains(id)) {
      breaches.add("related to itself: " + id);
    }
  }

  private void related(String id, String other, String back) {
    JsonNode task = tasks.get(other);
    if (task == null || !ids(task, back).contains(id)) {
      breaches.add(other + " has not among its " + back + ": " + id);
    }
  }

  private void executed() {
    require(execution.path("makespanInSeconds"), "makespanInSeconds", JsonNode::isNumber);
    text(execution, "executedAt");
    Map<String, JsonNode> ran = unique(execution.path("tasks"), "id");
    if (!ran.keySet().equals(tasks.keySet())) {
      breaches.add("executed were " + ran.keySet() + " and specified " + tasks.keySet());
    }
    JsonNode declared = execution.path("machines");
    if (declared.isArray() && declared.isEmpty()) {
      breaches.add("machines: an empty list");
    }
    Set<String> machines = unique(declared, "nodeName").keySet();
    for (JsonNode task : ran.values()) {
      require(task.path("runtimeInSeconds"), "runtimeInSeconds", JsonNode::isNumber);
      for (JsonNode machine : task.path("machines")) {
        require(machine, "machine", node -> machines.contains(node.asText()));
      }
      for (JsonNode argument : task.path("command").path("arguments")) {
        require(argument, "argument", node -> !node.asText().isEmpty());
      }
      if (task.has("coreCount")) {
        require(task.path("coreCount"), "coreCount", node -> node.asDouble() >= 1);
      }
      if (task.has("command")) {
        text(task.path("command"), "program");
      }
    }
  }

  private Map<String, JsonNode> unique(JsonNode list, String key) {
    Map<String, JsonNode> byKey = new LinkedHashMap<>();
    for (JsonNode item : list) {
      String id = item.path(key).asText();
      require(item.path(key), key, node -> ID.matcher(node.asText()).matches());
      if (byKey.put(id, item) != null) {
        breaches.add(key + " is there twice: " + id);
      }
    }
    return byKey;
  }

  private void text(JsonNode node, String key) {
    require(node.path(key), key, value -> value.isTextual() && !value.asText().isEmpty());
  }

  private void require(JsonNode value, String what, Predicate<JsonNode> rule) {
    if (!rule.test(value)) {
      breaches.add(what + ": " + value);
    }
  }

  private static Set<String> ids(JsonNode task, String... lists) {
    Set<String> ids = new HashSet<>();
    for (String list : lists) {
      task.path(list).forEach(id -> ids.add(id.asText()));
    }
    return ids;
  }
}

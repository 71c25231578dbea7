package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.InvalidWorkflowException.Part;
import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Converts a WfFormat document to a workflow. */
final class WfDocument {

  /** The key of Weir's extension of the format. */
  static final String EXTENSION = WfFormatWriter.EXTENSION;

  private static final Set<String> VERSIONS = Set.of("1.5", "1.6");

  /** The key in the extension of a file whose size is not known, which the format requires. */
  static final String SIZE = "size";

  static final String UNKNOWN = "unknown";

  /** The key in the extension of the URL from which a file is fetched. */
  private static final String SOURCE = "source";

  /** The key in the extension of the checksum of a file with a source. */
  private static final String CHECKSUM = "checksum";

  /**
   * The key in the extension of a file that is a workflow, whose tasks join the run: the files that
   * these make for others.
   */
  private static final String WORKFLOW = "workflow";

  private static final Set<String> FILE_KEYS = Set.of("hint", SIZE, SOURCE, CHECKSUM, WORKFLOW);
  private static final Set<String> TASK_KEYS =
      Set.of(
          WfFormatWriter.DISK,
          WfFormatWriter.MEMORY,
          WfFormatWriter.WALL_TIME,
          WfFormatWriter.IDEMPOTENT,
          WfFormatWriter.CONTAINER,
          WfFormatWriter.RESOURCES,
          WfFormatWriter.RETRIES,
          WfFormatWriter.CONTAINERS);

  private final JsonPlace root;
  private final WfNotes notes = new WfNotes();
  private final Map<String, FetchCommand> sources = new LinkedHashMap<>();
  private final Map<String, List<String>> subWorkflows = new LinkedHashMap<>();

  WfDocument(JsonPlace root) {
    this.root = root;
  }

  /** Returns the warnings of {@link #toWorkflow} so far, one line each. */
  List<String> warnings() {
    return notes.warnings();
  }

  Workflow toWorkflow() throws WorkflowException {
    requireKnownVersion();
    String name = root.at("name").nonBlankText("give the workflow a name");
    JsonPlace workflow = root.object("workflow");
    JsonPlace specification = workflow.object("specification");
    List<JsonPlace> taskPlaces =
        specification.list("tasks", "list the tasks: [{\"name\": ..., \"id\": ...}, ...]");
    Map<String, DataFile> files = files(specification);
    Map<String, JsonPlace> byId = byId(taskPlaces);
    Map<String, JsonPlace> executions = executions(workflow, byId.keySet());
    DeclaredOrder order = DeclaredOrder.of(byId);
    Map<String, Set<String>> producers = producers(byId);
    List<Task> tasks = new ArrayList<>(taskPlaces.size());
    for (JsonPlace place : taskPlaces) {
      Task task = task(place, executions, order, producers);
      // The format has no containers, so image files may be undeclared.
      task.needs()
          .imageFile()
          .ifPresent(image -> files.putIfAbsent(image, DataFile.ofUnknownSize(image, "")));
      tasks.add(task);
    }
    try {
      List<Task> all = FetchTasks.added(Expansion.added(tasks, subWorkflows), sources);
      return new Workflow(name, all, files);
    } catch (InvalidWorkflowException e) {
      throw new WorkflowException(
          root.file(), pointer(e, specification, taskPlaces), e.problem(), e.remedy(), e);
    }
  }

  private void requireKnownVersion() throws WorkflowException {
    JsonPlace version = root.at("schemaVersion");
    String text = version.text("give it: \"schemaVersion\": \"1.5\"");
    if (!VERSIONS.contains(text)) {
      throw version.problem(
          "the schema version '" + text + "' is not supported (1.4 to 1.6 are)",
          "convert the file to 1.5 or 1.6, for example with the migration tool of WfFormat");
    }
  }

  private Map<String, DataFile> files(JsonPlace specification) throws WorkflowException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (JsonPlace place : specification.optionalList("files")) {
      String id = fileId(place.at("id"));
      source(place).ifPresent(source -> sources.put(id, source));
      long size = place.at("sizeInBytes").bytes("give its size in bytes, 0 or more");
      var extension = extension(place, FILE_KEYS);
      boolean known = extension.isEmpty() || sizeKnown(extension.get());
      DataFile file = new DataFile(id, size, known, "");
      if (extension.isPresent() && extension.get().has("hint")) {
        JsonPlace hint = extension.get().at("hint");
        String text = hint.nonBlankText("write a hint such as \"pipeline\" or \"broadcast=8\"");
        file =
            hint.make(() -> new DataFile(id, size, known, text), "correct the hint or remove it");
      }
      if (extension.isPresent() && extension.get().has(WORKFLOW)) {
        subWorkflows.put(id, fileIds(extension.get(), WORKFLOW));
      }
      if (files.putIfAbsent(id, file) != null) {
        throw place
            .at("id")
            .problem(
                "the file '" + id + "' is declared a second time",
                "declare each file once (of a URL, only the last part is the name)");
      }
    }
    return files;
  }

  /** Returns where a file is fetched from: its declared source, or its id if that is a URL. */
  private static Optional<FetchCommand> source(JsonPlace file) throws WorkflowException {
    var extension = file.optionalObject(EXTENSION);
    boolean isDeclared = extension.isPresent() && extension.get().has(SOURCE);
    JsonPlace source = isDeclared ? extension.get().at(SOURCE) : file.at("id");
    String url = source.nonBlankText("write a URL such as \"https://HOST/PATH\"");
    if (!isDeclared && !isUrl(url)) {
      return Optional.empty();
    }
    String checksum =
        extension.isPresent() && extension.get().has(CHECKSUM)
            ? extension.get().at(CHECKSUM).nonBlankText("write sha256: and 64 hexadecimal digits")
            : "";
    return Optional.of(
        source.make(() -> new FetchCommand(url, checksum), "correct it, or remove it"));
  }

  private static boolean sizeKnown(JsonPlace extension) throws WorkflowException {
    if (!extension.has(SIZE)) {
      return true;
    }
    JsonPlace size = extension.at(SIZE);
    String remedy = "write \"unknown\", or remove it if sizeInBytes is the size";
    String text = size.nonBlankText(remedy);
    if (!text.equals(UNKNOWN)) {
      throw size.problem("the size is '" + text + "'", remedy);
    }
    return false;
  }

  /** Returns Weir's extension. Unknown keys in it are probably typing errors and give warnings. */
  private Optional<JsonPlace> extension(JsonPlace place, Set<String> known)
      throws WorkflowException {
    var extension = place.optionalObject(EXTENSION);
    if (extension.isPresent()) {
      Iterator<String> keys = extension.get().node().fieldNames();
      while (keys.hasNext()) {
        String key = keys.next();
        if (!known.contains(key)) {
          String knownKeys = String.join(", ", new TreeSet<>(known));
          notes.add(
              EXTENSION + "/" + key,
              extension.get().at(key),
              "unknown key (known: " + knownKeys + "), which is ignored");
        }
      }
    }
    return extension;
  }

  private static String fileId(JsonPlace place) throws WorkflowException {
    String raw = place.nonBlankText("name a file by a relative path");
    String path = isUrl(raw) ? URI.create(raw).getPath().replaceFirst(".*/", "") : raw;
    return place.make(() -> FileRegion.normalize(path), "write the same name in all places");
  }

  /** Recordings of Nextflow name downloaded files by their URLs, and commands by the last part. */
  private static boolean isUrl(String id) {
    return id.contains("://") && FetchCommand.isUrl(id);
  }

  private static Map<String, JsonPlace> byId(List<JsonPlace> tasks) throws WorkflowException {
    Map<String, JsonPlace> byId = new LinkedHashMap<>();
    for (JsonPlace task : tasks) {
      String id = taskId(task);
      JsonPlace first = byId.putIfAbsent(id, task);
      if (first != null) {
        throw task.at("id")
            .problem(
                "the task id '" + id + "' is used a second time, first at " + first.pointer(),
                "give each task an id of its own");
      }
    }
    return byId;
  }

  /** Returns the producers of each file. A file that is written in regions has several. */
  private static Map<String, Set<String>> producers(Map<String, JsonPlace> tasks)
      throws WorkflowException {
    Map<String, Set<String>> producers = new HashMap<>();
    for (Map.Entry<String, JsonPlace> task : tasks.entrySet()) {
      for (String output : fileIds(task.getValue(), "outputFiles")) {
        producers
            .computeIfAbsent(FileRegion.fileOf(output), file -> new HashSet<>())
            .add(task.getKey());
      }
    }
    return producers;
  }

  /** Returns the entries of the execution part by task id. They contain commands and runtimes. */
  private static Map<String, JsonPlace> executions(JsonPlace workflow, Set<String> known)
      throws WorkflowException {
    Map<String, JsonPlace> executions = new LinkedHashMap<>();
    var execution = workflow.optionalObject("execution");
    if (execution.isEmpty()) {
      return executions;
    }
    for (JsonPlace place : execution.get().optionalList("tasks")) {
      String id = taskId(place);
      if (!known.contains(id)) {
        throw place
            .at("id")
            .problem(
                "no task '" + id + "' in /workflow/specification/tasks",
                "use the id of a task there or remove this entry");
      }
      if (executions.putIfAbsent(id, place) != null) {
        throw place
            .at("id")
            .problem("the task '" + id + "' has a second entry here", "keep one of the two");
      }
    }
    return executions;
  }

  private static String taskId(JsonPlace task) throws WorkflowException {
    return task.at("id").nonBlankText("give each task a unique id");
  }

  private Task task(
      JsonPlace place,
      Map<String, JsonPlace> executions,
      DeclaredOrder order,
      Map<String, Set<String>> producers)
      throws WorkflowException {
    String id = taskId(place);
    List<String> inputs = fileIds(place, "inputFiles");
    List<String> outputs = fileIds(place, "outputFiles");
    JsonPlace execution = executions.get(id);
    List<String> command = execution == null ? List.of() : command(execution);
    double runtime =
        execution == null || !execution.has("runtimeInSeconds")
            ? 0
            : execution.at("runtimeInSeconds").seconds("give seconds, such as 1.5");
    String type = type(place, id, command);
    Set<String> impliedByFiles = new HashSet<>();
    for (String input : inputs) {
      impliedByFiles.addAll(producers.getOrDefault(FileRegion.fileOf(input), Set.of()));
    }
    List<String> after =
        order.predecessors(id).stream().filter(p -> !impliedByFiles.contains(p)).toList();
    TaskNeeds needs = execution == null ? TaskNeeds.UNKNOWN : needs(execution);
    return place.make(
        () -> new Task(id, type, command, inputs, outputs, after, runtime, needs),
        "correct the task");
  }

  /**
   * Returns the needs of a task. Values recorded in another run are used as estimates; invalid
   * values are ignored.
   */
  private TaskNeeds needs(JsonPlace execution) throws WorkflowException {
    long cores = recorded(execution.at("coreCount"), Integer.MAX_VALUE, "a number of cores");
    long memory = recorded(execution.at(WfFormatWriter.MEMORY), Long.MAX_VALUE, "a size in bytes");
    var extension = extension(execution, TASK_KEYS);
    if (extension.isEmpty()) {
      return new TaskNeeds((int) cores, memory, 0);
    }
    JsonPlace own = extension.get();
    long ownMemory = bytes(own, WfFormatWriter.MEMORY);
    long seconds =
        own.has(WfFormatWriter.WALL_TIME)
            ? (long) Math.ceil(own.at(WfFormatWriter.WALL_TIME).seconds("give seconds, 0 or more"))
            : 0;
    TaskNeeds needs =
        new TaskNeeds(
            (int) cores,
            own.has(WfFormatWriter.MEMORY) ? ownMemory : memory,
            bytes(own, WfFormatWriter.DISK),
            seconds,
            own.has(WfFormatWriter.IDEMPOTENT) && !own.at(WfFormatWriter.IDEMPOTENT).bool(),
            container(own),
            resources(own));
    return containers(own, retries(own, needs));
  }

  private static TaskNeeds retries(JsonPlace extension, TaskNeeds needs) throws WorkflowException {
    if (!extension.has(WfFormatWriter.RETRIES)) {
      return needs;
    }
    JsonPlace retries = extension.at(WfFormatWriter.RETRIES);
    long number = retries.integer();
    return retries.make(() -> needs.withRetries(number), "correct it or remove it");
  }

  private static TaskNeeds containers(JsonPlace extension, TaskNeeds needs)
      throws WorkflowException {
    if (!extension.has(WfFormatWriter.CONTAINERS)) {
      return needs;
    }
    JsonPlace containers = extension.at(WfFormatWriter.CONTAINERS);
    long number = containers.integer();
    return containers.make(() -> needs.withContainers(number), "correct it or remove it");
  }

  private static Map<String, Long> resources(JsonPlace extension) throws WorkflowException {
    Map<String, Long> amounts = new HashMap<>();
    Optional<JsonPlace> resources = extension.optionalObject(WfFormatWriter.RESOURCES);
    if (resources.isPresent()) {
      JsonPlace types = resources.get();
      for (Iterator<String> names = types.node().fieldNames(); names.hasNext(); ) {
        String name = names.next();
        JsonPlace amount = types.at(name);
        if (!amount.node().isIntegralNumber()) {
          throw amount.problem(amount.found("a whole number"), "give how many the task needs");
        }
        amounts.put(name, amount.node().longValue());
      }
      return types.make(
          () -> TaskNeeds.UNKNOWN.withResources(amounts).resources(), "name types of YARN");
    }
    return amounts;
  }

  private static String container(JsonPlace extension) throws WorkflowException {
    if (!extension.has(WfFormatWriter.CONTAINER)) {
      return "";
    }
    String remedy = "name an image, such as \"docker://debian:12\" or \"tools.tar\"";
    JsonPlace place = extension.at(WfFormatWriter.CONTAINER);
    String image = place.nonBlankText(remedy);
    return place.make(() -> TaskNeeds.UNKNOWN.withContainer(image).container(), remedy);
  }

  private static long bytes(JsonPlace extension, String key) throws WorkflowException {
    return extension.has(key) ? extension.at(key).bytes("give bytes, 0 or more") : 0;
  }

  /** Returns a recorded number, rounded up. Recorders omit unmeasured values or write null. */
  private long recorded(JsonPlace place, long most, String expected) {
    JsonNode node = place.node();
    if (node.isMissingNode() || node.isNull()) {
      return 0;
    }
    double value = Math.ceil(node.doubleValue());
    if (node.isNumber() && value >= 0 && value < most) {
      return (long) value;
    }
    notes.add(
        expected, place, place.found(expected + ", 0 or more,") + "; it counts as undeclared");
    return 0;
  }

  private static List<String> fileIds(JsonPlace task, String key) throws WorkflowException {
    Set<String> ids = new LinkedHashSet<>();
    for (JsonPlace place : task.optionalList(key)) {
      ids.add(fileId(place));
    }
    return List.copyOf(ids);
  }

  private static List<String> command(JsonPlace execution) throws WorkflowException {
    var command = execution.optionalObject("command");
    if (command.isEmpty()) {
      return List.of();
    }
    List<JsonPlace> arguments = command.get().optionalList("arguments");
    if (!command.get().has("program") && arguments.isEmpty()) {
      return List.of();
    }
    List<String> argv = new ArrayList<>();
    JsonPlace program = command.get().at("program");
    program.nonBlankText("name the program to start");
    argv.add(program.argument("name the program to start"));
    for (JsonPlace argument : arguments) {
      argv.add(argument.argument("write each argument as a string"));
    }
    return argv;
  }

  /**
   * Returns the type of a task. It is the name, which should be the program or the kind of task.
   * Recorded instances repeat the id as the name; then the type is the program's file name, or else
   * the id without its number.
   */
  private static String type(JsonPlace task, String id, List<String> command)
      throws WorkflowException {
    String name =
        task.has("name") ? task.at("name").nonBlankText("name the program or kind of task") : id;
    if (!name.equals(id)) {
      return name;
    }
    if (!command.isEmpty()) {
      String program = command.get(0);
      String last = program.substring(program.lastIndexOf('/') + 1);
      return last.isBlank() ? program : last;
    }
    String stripped = id.replaceFirst("_ID\\d+$", "");
    return stripped.isBlank() ? id : stripped;
  }

  private static String pointer(
      InvalidWorkflowException e, JsonPlace specification, List<JsonPlace> tasks)
      throws WorkflowException {
    // Tasks that were added after those of the file have no place in it.
    if (e.place().isEmpty() || e.place().get().task() >= tasks.size()) {
      return specification.pointer();
    }
    InvalidWorkflowException.Place place = e.place().get();
    JsonPlace task = tasks.get(place.task());
    if (place.part() == Part.INPUTS || place.part() == Part.OUTPUTS) {
      String key = place.part() == Part.INPUTS ? "inputFiles" : "outputFiles";
      for (JsonPlace element : task.optionalList(key)) {
        if (fileId(element).equals(place.name())
            || FileRegion.fileOf(fileId(element)).equals(place.name())) {
          return element.pointer();
        }
      }
    }
    return task.pointer();
  }
}

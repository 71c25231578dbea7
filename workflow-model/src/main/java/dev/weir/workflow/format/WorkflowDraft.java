package dev.weir.workflow.format;

import dev.weir.hints.Hint;
import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.InvalidWorkflowException.Part;
import dev.weir.workflow.model.PlainText;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A workflow under construction while its file is read. Collects tasks, sizes, hints and
 * dependencies with their places in the file. Builds the model, or reports an error with its place.
 * Not thread-safe.
 */
public final class WorkflowDraft {

  /** The hint without properties. */
  private static final String NO_HINT = "stock";

  private static final int SHOWN_NAMES = 3;

  private final WorkflowSource source;
  private final String format;
  private final List<DraftTask> tasks = new ArrayList<>();
  private final Map<String, TextPlace> files = new LinkedHashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private final Map<String, String> hints = new HashMap<>();
  private final Map<String, FetchCommand> sources = new LinkedHashMap<>();
  private final Set<String> results = new HashSet<>();
  private final Set<String> temporary = new HashSet<>();
  private final Map<String, Long> regionEnds = new HashMap<>();
  private final Map<String, Map<String, TextPlace>> after = new LinkedHashMap<>();
  private final Map<String, Set<String>> producers = new HashMap<>();
  private final Set<String> absolute = new LinkedHashSet<>();
  private final Map<FileMention, String> expected = new LinkedHashMap<>();
  private final Set<String> warnings = new LinkedHashSet<>();

  /**
   * Creates an empty draft.
   *
   * @param source the file that is read
   * @param format the format of the file
   */
  public WorkflowDraft(WorkflowSource source, String format) {
    this.source = source;
    this.format = format;
  }

  /**
   * Adds a task.
   *
   * @return its id
   * @throws WorkflowException if one of its names or hints is invalid
   */
  public String add(DraftTask task) throws WorkflowException {
    String id =
        task.id().isEmpty() ? TaskTypes.usableAsId(task.type(), tasks.size() + 1) : task.id();
    DraftTask named =
        new DraftTask(
            id,
            task.type(),
            task.command(),
            task.files(),
            task.needs(),
            task.runtimeSeconds(),
            task.place());
    tasks.add(named);
    ids(task.files().inputs());
    for (FileMention output : task.files().outputs()) {
      String file = FileRegion.fileOf(id(output));
      producers.computeIfAbsent(file, k -> new LinkedHashSet<>()).add(id);
      String hint = task.files().hints().get(output.name());
      if (hint != null) {
        hint(output, hint);
      }
    }
    return id;
  }

  /**
   * Adds a task that stands for another workflow.
   *
   * @param id its id; if empty, one is generated
   * @param workflow the file with the workflow, which becomes an input
   * @param definitions see {@link SubWorkflow}
   * @throws WorkflowException if one of its names or hints is invalid
   */
  public void addSubWorkflow(
      String id, FileMention workflow, Map<String, String> definitions, DraftTask.Files files)
      throws WorkflowException {
    List<FileMention> inputs = new ArrayList<>(List.of(workflow));
    inputs.addAll(files.inputs());
    String unused =
        add(
            new DraftTask(
                id,
                SubWorkflow.TYPE,
                new SubWorkflow(normal(workflow), definitions).words(),
                new DraftTask.Files(inputs, files.outputs(), files.hints()),
                TaskNeeds.UNKNOWN,
                0,
                workflow.place()));
  }

  /**
   * Adds a dependency.
   *
   * @param task id of the later task
   * @param before id of the earlier task
   */
  public void after(String task, String before, TextPlace place) {
    after.computeIfAbsent(task, k -> new LinkedHashMap<>()).putIfAbsent(before, place);
  }

  /**
   * Sets the size of a file.
   *
   * @param bytes its size, at least 0
   * @throws WorkflowException if the name or the size is invalid
   */
  public void size(FileMention file, long bytes) throws WorkflowException {
    if (bytes < 0) {
      throw source.problem(
          file.place(),
          "the file '" + file.name() + "' has the size " + bytes,
          "give its size in bytes, 0 or more");
    }
    sizes.put(normal(file), bytes);
  }

  /**
   * Sets the source from which an external input of the workflow is fetched. The first one counts.
   *
   * @param checksum its checksum as {@link FetchCommand} has it; empty if not declared
   * @throws WorkflowException if the name, the URL or the checksum is invalid
   */
  public void source(FileMention file, String url, String checksum) throws WorkflowException {
    try {
      sources.putIfAbsent(normal(file), new FetchCommand(url, checksum));
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          file.place().toString(),
          "the source of the file '" + file.name() + "' is invalid: " + e.getMessage(),
          "correct it, or remove it",
          e);
    }
  }

  /**
   * Sets the hint of a file.
   *
   * @throws WorkflowException if the name or the hint is invalid
   */
  public void hint(FileMention file, String text) throws WorkflowException {
    try {
      HintText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          file.place().toString(),
          "the hint of the file '" + file.name() + "' is invalid: " + e.getMessage(),
          "write a hint such as 'pipeline' or 'broadcast=8', or remove it",
          e);
    }
    hints.put(normal(file), text);
  }

  /**
   * Marks a file as a result, which is kept even if tasks read it. A hint with a lifetime takes
   * precedence.
   *
   * @throws WorkflowException if the name is invalid
   */
  public void result(FileMention file) throws WorkflowException {
    results.add(normal(file));
  }

  /**
   * Marks a file as temporary, which is not needed after the tasks that read it. A hint with a
   * lifetime and {@link #result} take precedence.
   *
   * @throws WorkflowException if the name is invalid
   */
  public void temporary(FileMention file) throws WorkflowException {
    temporary.add(normal(file));
  }

  /**
   * Requires that a file belongs to the workflow; otherwise a warning is added. Not for entries of
   * catalogs, which may contain further files.
   *
   * @param what the consequence, such as {@code its hint is ignored}
   */
  public void expect(FileMention file, String what) {
    expected.put(file, what);
  }

  /** Adds a warning for the user. Duplicates are dropped. */
  public void warn(String warning) {
    warnings.add(warning);
  }

  /** Adds a warning about a place. */
  public void warn(TextPlace place, String warning) {
    warnings.add(place + ": " + warning);
  }

  /**
   * Builds the model.
   *
   * @throws WorkflowException if the parts are inconsistent
   */
  public ImportedWorkflow build(String name) throws WorkflowException {
    requireKnownTasks();
    keepResults();
    for (Map.Entry<FileMention, String> one : expected.entrySet()) {
      FileMention file = one.getKey();
      if (!files.containsKey(normal(file))) {
        warn(file.place(), "the workflow has no file '" + file.name() + "': " + one.getValue());
      }
    }
    Map<String, DataFile> declared = declared();
    if (!absolute.isEmpty()) {
      warn(
          "the leading '/' of names is removed, and commands find the files without it ("
              + abbreviated(List.copyOf(absolute))
              + ")");
    }
    List<Task> built = new ArrayList<>(tasks.size());
    for (DraftTask task : tasks) {
      built.add(task(task));
    }
    try {
      return new ImportedWorkflow(
          new Workflow(name, FetchTasks.added(built, sources), declared),
          format,
          List.copyOf(warnings));
    } catch (InvalidWorkflowException e) {
      throw new WorkflowException(source.name(), place(e).toString(), e.problem(), e.remedy(), e);
    }
  }

  /** Returns the files, and warns of those whose size is unknown. */
  private Map<String, DataFile> declared() {
    Map<String, DataFile> declared = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    for (String id : files.keySet()) {
      OptionalLong size = size(id);
      if (size.isEmpty() && regionEnds.containsKey(id)) {
        size = OptionalLong.of(regionEnds.getOrDefault(id, 0L));
      }
      if (size.isEmpty()) {
        unknown.add(id);
      }
      String hint = hints.getOrDefault(id, "");
      declared.put(
          id,
          size.isPresent()
              ? new DataFile(id, size.getAsLong(), hint)
              : DataFile.ofUnknownSize(id, hint));
    }
    if (!unknown.isEmpty()) {
      warn(
          ImportedWorkflow.UNKNOWN_SIZES
              + unknown.size()
              + " of "
              + files.size()
              + " files are unknown ("
              + abbreviated(unknown)
              + "): each counts as 1 MB");
    }
    return declared;
  }

  /**
   * Adds the lifetimes of results and temporary files. Other files that no task reads are kept
   * anyway, and inputs are never deleted.
   */
  private void keepResults() throws WorkflowException {
    if (results.isEmpty() && temporary.isEmpty()) {
      return;
    }
    Set<String> read = new HashSet<>();
    for (DraftTask task : tasks) {
      ids(task.files().inputs()).forEach(input -> read.add(FileRegion.fileOf(input)));
    }
    temporary.removeAll(results);
    for (String id : results) {
      if (read.contains(id)) {
        setLifetime(id, Lifetime.keep());
      }
    }
    for (String id : temporary) {
      setLifetime(id, Lifetime.scratch());
    }
  }

  private void setLifetime(String id, Lifetime lifetime) {
    Hint written = HintText.parse(hints.getOrDefault(id, NO_HINT));
    if (producers.containsKey(id) && written.lifetime().isEmpty()) {
      hints.put(id, HintText.format(written.toBuilder().lifetime(lifetime).build()));
    }
  }

  private static String abbreviated(List<String> names) {
    String shown = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())));
    return names.size() > SHOWN_NAMES ? shown + ", ..." : shown;
  }

  private OptionalLong size(String id) {
    Long declared = sizes.get(id);
    if (declared != null) {
      return OptionalLong.of(declared);
    }
    return producers.containsKey(id) ? OptionalLong.empty() : source.sizeBeside(id);
  }

  private void requireKnownTasks() throws WorkflowException {
    Set<String> known = new LinkedHashSet<>();
    tasks.forEach(task -> known.add(task.id()));
    for (Map.Entry<String, Map<String, TextPlace>> entry : after.entrySet()) {
      for (Map.Entry<String, TextPlace> before : entry.getValue().entrySet()) {
        for (String id : List.of(entry.getKey(), before.getKey())) {
          if (!known.contains(id)) {
            throw source.problem(
                before.getValue(),
                "no task has the id '" + id + "'",
                "name a task of this workflow or remove the dependency");
          }
        }
      }
    }
  }

  private Task task(DraftTask task) throws WorkflowException {
    requireWritable(task, "the type", PlainText.problem(task.type()));
    for (String word : task.command()) {
      requireWritable(task, "the command", PlainText.problemAsArgument(word));
    }
    List<String> inputs = List.copyOf(ids(task.files().inputs()));
    Set<String> implied = new LinkedHashSet<>();
    inputs.forEach(
        input -> implied.addAll(producers.getOrDefault(FileRegion.fileOf(input), Set.of())));
    List<String> before =
        after.getOrDefault(task.id(), Map.of()).keySet().stream()
            .filter(id -> !implied.contains(id))
            .toList();
    try {
      return new Task(
          task.id(),
          task.type(),
          task.command(),
          inputs,
          List.copyOf(ids(task.files().outputs())),
          before,
          task.runtimeSeconds(),
          task.needs());
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          task.place().toString(),
          String.valueOf(e.getMessage()),
          "correct the task",
          e);
    }
  }

  private void requireWritable(DraftTask task, String what, Optional<String> problem)
      throws WorkflowException {
    if (problem.isPresent()) {
      throw source.problem(
          task.place(), what + " of the task '" + task.id() + "' " + problem.get(), "remove it");
    }
  }

  private Set<String> ids(Collection<FileMention> mentions) throws WorkflowException {
    Set<String> ids = new LinkedHashSet<>();
    for (FileMention mention : mentions) {
      ids.add(id(mention));
    }
    return ids;
  }

  private String id(FileMention mention) throws WorkflowException {
    String id = normal(mention);
    if (mention.name().startsWith("/")) {
      absolute.add(id);
    }
    Optional<FileRegion> region = FileRegion.parse(id);
    files.putIfAbsent(region.map(FileRegion::file).orElse(id), mention.place());
    // A file without a declared size ends with its last region.
    region.ifPresent(part -> regionEnds.merge(part.file(), part.end(), Math::max));
    return id;
  }

  private String normal(FileMention mention) throws WorkflowException {
    try {
      return FileRegion.normalize(mention.name());
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          mention.place().toString(),
          String.valueOf(e.getMessage()),
          "write the same name in all places",
          e);
    }
  }

  private TextPlace place(InvalidWorkflowException e) throws WorkflowException {
    // Tasks that were added after those of the file have no place in it.
    if (e.place().isEmpty() || e.place().get().task() >= tasks.size()) {
      return TextPlace.START;
    }
    InvalidWorkflowException.Place place = e.place().get();
    DraftTask task = tasks.get(place.task());
    if (place.part() == Part.INPUTS || place.part() == Part.OUTPUTS) {
      List<FileMention> mentions =
          place.part() == Part.INPUTS ? task.files().inputs() : task.files().outputs();
      for (FileMention mention : mentions) {
        if (normal(mention).equals(place.name())
            || FileRegion.fileOf(normal(mention)).equals(place.name())) {
          return mention.place();
        }
      }
    }
    return task.place();
  }
}

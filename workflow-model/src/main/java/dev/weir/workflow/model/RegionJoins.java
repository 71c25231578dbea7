package dev.weir.workflow.model;

import dev.weir.workflow.model.InvalidWorkflowException.Part;
import dev.weir.workflow.model.InvalidWorkflowException.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds the tasks that join regions. Several tasks may write the regions of a file. Each region is a
 * separate file until all exist. Then an additional task, which has no command, joins them. The
 * regions must cover the file without gaps and overlaps.
 */
final class RegionJoins {
  private static final String TYPE = "join";

  private final List<Task> tasks;
  private final Map<String, DataFile> files;
  private final Map<String, List<Written>> regions = new LinkedHashMap<>();
  private final Set<String> joined = new HashSet<>();
  private final Set<String> ids = new HashSet<>();

  /** A region and the index of the task that writes it. */
  private record Written(FileRegion region, int task) {}

  /**
   * A completed workflow.
   *
   * @param tasks the given tasks, and one join for each file that needs one and has none
   * @param files the given files, and all written regions
   */
  record Completed(List<Task> tasks, Map<String, DataFile> files) {}

  private RegionJoins(List<Task> tasks, Map<String, DataFile> files) {
    this.tasks = new ArrayList<>(tasks);
    this.files = new LinkedHashMap<>(files);
  }

  /**
   * Adds the missing joins and files.
   *
   * @throws InvalidWorkflowException if regions do not cover their file
   */
  static Completed complete(List<Task> tasks, Map<String, DataFile> files) {
    RegionJoins joins = new RegionJoins(tasks, files);
    joins.collect();
    joins.regions.forEach(joins::join);
    joins.removeReadRegions();
    return new Completed(joins.tasks, joins.files);
  }

  private void collect() {
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      ids.add(task.id());
      if (task.joinsRegions()) {
        joined.addAll(task.outputs());
      }
      for (String output : task.outputs()) {
        int index = i;
        FileRegion.parse(output)
            .ifPresent(
                region ->
                    regions
                        .computeIfAbsent(region.file(), file -> new ArrayList<>())
                        .add(new Written(region, index)));
      }
    }
  }

  private void join(String file, List<Written> written) {
    written.sort(
        Comparator.<Written>comparingLong(one -> one.region().offset())
            .thenComparing(one -> one.region().length()));
    long end = 0;
    for (Written one : written) {
      if (one.region().offset() != end) {
        throw misfit(file, one, end);
      }
      end = one.region().end();
      declare(one.region());
    }
    requireSize(file, end, written.get(written.size() - 1));
    refuseWhole(file);
    if (joined.add(file)) {
      tasks.add(
          new Task(
              joinId(file),
              TYPE,
              List.of(),
              written.stream().map(one -> one.region().id()).toList(),
              List.of(file),
              0));
    }
  }

  /** Removes declared regions that no task writes. Regions that are only read are not files. */
  private void removeReadRegions() {
    Set<String> written = new HashSet<>();
    regions.values().forEach(all -> all.forEach(one -> written.add(one.region().id())));
    files.keySet().removeIf(id -> FileRegion.parse(id).isPresent() && !written.contains(id));
  }

  private void declare(FileRegion region) {
    DataFile declared = files.get(region.id());
    String hint = declared == null ? "" : declared.hint();
    files.put(region.id(), new DataFile(region.id(), region.length(), hint));
  }

  private void refuseWhole(String file) {
    for (int i = 0; i < tasks.size(); i++) {
      if (tasks.get(i).outputs().contains(file) && !tasks.get(i).joinsRegions()) {
        throw new InvalidWorkflowException(
            new Place(i, Part.OUTPUTS, file),
            "the task '"
                + tasks.get(i).id()
                + "' writes the file '"
                + file
                + "', and other tasks write regions of it",
            "let it write a region, or another file");
      }
    }
  }

  private static InvalidWorkflowException misfit(String file, Written one, long end) {
    boolean gap = one.region().offset() > end;
    return new InvalidWorkflowException(
        new Place(one.task(), Part.OUTPUTS, one.region().id()),
        gap
            ? "no task writes the bytes " + end + " to " + one.region().offset() + " of " + file
            : "the region '" + one.region().id() + "' overlaps another that is written",
        "let the regions of a file follow each other from its beginning to its end");
  }

  private void requireSize(String file, long end, Written last) {
    DataFile declared = files.putIfAbsent(file, new DataFile(file, end));
    if (declared != null && declared.sizeBytes() != end) {
      throw new InvalidWorkflowException(
          new Place(last.task(), Part.OUTPUTS, last.region().id()),
          "the regions of '"
              + file
              + "' that tasks write end at byte "
              + end
              + ", and it is declared with "
              + declared.sizeBytes()
              + " bytes",
          "correct the size of the file, or write all of it");
    }
  }

  private String joinId(String file) {
    String name = TYPE + "-" + file.replace('/', '_');
    String id = name;
    for (int number = 2; !ids.add(id); number++) {
      id = name + "-" + number;
    }
    return id;
  }
}

package dev.weir.workflow.infer;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.KeptInputs;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Files that the same types of tasks write and read. They get one decision, because they load the
 * links together.
 *
 * @param producerType type of the tasks that write them; empty for inputs of the workflow
 * @param readerTypes types of the tasks that read them; empty for final outputs
 * @param group name of the gather that they belong to; empty if none
 * @param files the files, at least one
 * @param producers number of tasks that write them; 0 for inputs of the workflow
 * @param region length in bytes of the regions that each of them is read in; 0 if they are read
 *     whole
 * @param serial whether the several readers of each can only run one after another
 */
record FileClass(
    String producerType,
    SortedSet<String> readerTypes,
    String group,
    List<DataFile> files,
    int producers,
    Readers readers,
    long region,
    boolean serial) {

  /**
   * The readers of the files of a class.
   *
   * @param readings number of pairs of a file and a task that reads it
   * @param wholly whether each reader reads its whole file
   * @param each readers of a file on average; one that reads a tenth of the file counts as a tenth
   */
  record Readers(int readings, boolean wholly, double each, int tasks) {}

  /** The properties that files of a class share. */
  private record Key(
      String producerType,
      SortedSet<String> readerTypes,
      String group,
      boolean manyReaders,
      boolean isUnused,
      long region,
      boolean isRegion,
      boolean serial) {}

  static List<FileClass> of(WorkflowGraph graph, GatherFinder gathers) {
    Map<Key, List<DataFile>> files = new LinkedHashMap<>();
    SerialTasks serialTasks = new SerialTasks(graph);
    for (DataFile file : graph.workflow().files().values()) {
      List<Task> readers = graph.consumers(file.id());
      String producer = graph.producer(file.id()).map(Task::type).orElse("");
      if (readers.isEmpty() && producer.isEmpty()) {
        continue; // declared, but no task uses it
      }
      SortedSet<String> readerTypes = new TreeSet<>();
      readers.forEach(reader -> readerTypes.add(reader.type()));
      String group = gathers.group(file.id()).orElse("");
      Key key =
          new Key(
              producer,
              readerTypes,
              group,
              readers.size() > 1,
              readers.isEmpty() && file.calledTemporary(),
              RegionReads.of(graph, file.id()),
              FileRegion.parse(file.id()).isPresent(),
              serialTasks.areSerial(readers));
      files.computeIfAbsent(key, k -> new ArrayList<>()).add(file);
    }
    List<FileClass> classes = new ArrayList<>();
    files.forEach((key, members) -> classes.add(of(graph, key, members)));
    return classes;
  }

  private static FileClass of(WorkflowGraph graph, Key key, List<DataFile> files) {
    long producers =
        files.stream().flatMap(file -> graph.producer(file.id()).stream()).distinct().count();
    return new FileClass(
        key.producerType,
        key.readerTypes,
        key.group,
        files,
        (int) producers,
        readersOf(graph, files),
        key.region,
        key.serial);
  }

  private static Readers readersOf(WorkflowGraph graph, List<DataFile> files) {
    int readings = 0;
    double shares = 0;
    Set<String> tasks = new HashSet<>();
    for (DataFile file : files) {
      List<Task> readers = graph.consumers(file.id());
      readings += readers.size();
      shares += readers(graph, file);
      readers.forEach(reader -> tasks.add(reader.id()));
    }
    return new Readers(readings, shares >= readings, shares / files.size(), tasks.size());
  }

  private static double readers(WorkflowGraph graph, DataFile file) {
    double sum = 0;
    for (Task reader : graph.consumers(file.id())) {
      sum += (double) graph.bytesRead(reader, file.id()) / Math.max(1, file.sizeBytes());
      if (file.sizeBytes() == 0) {
        sum++;
      }
    }
    return sum;
  }

  /**
   * Returns whether the files are regions of larger files. Different tasks write the regions of one
   * file.
   */
  boolean isRegions() {
    return FileRegion.parse(files.get(0).id()).isPresent();
  }

  boolean isInput() {
    return producers == 0;
  }

  boolean isFinal() {
    return readers.readings() == 0;
  }

  /** Returns whether no task reads the files, and their author calls them temporary. */
  boolean isUnused() {
    return isFinal() && files.get(0).calledTemporary();
  }

  double readersEach() {
    return readers.each();
  }

  /** Returns whether each file has exactly one reader. */
  boolean isReadOnce() {
    return readers.readings() == files.size();
  }

  double bytesEach() {
    return files.stream().mapToLong(DataFile::sizeBytes).average().orElse(0);
  }

  double bytes() {
    return files.stream().mapToDouble(DataFile::sizeBytes).sum();
  }

  double bytesOfLargest() {
    return files.stream().mapToLong(DataFile::sizeBytes).max().orElse(0);
  }

  /**
   * Returns the cost of broadcasting the files. Inputs of the workflow count as written by one
   * producer.
   */
  BroadcastCost cost(ClusterShape shape) {
    return new BroadcastCost(
        shape.nodes(),
        new BroadcastCost.Files(files.size(), bytesEach(), Math.max(1, producers)),
        new BroadcastCost.Readers(
            readers.each(),
            Math.max(1, readers.tasks()),
            Math.max(1, (double) readers.readings() / Math.max(1, readers.tasks()))),
        new FetchModel(
            shape.fetching().bytesPerSecond(), shape.fetching().once() && isWorthKeeping(shape)));
  }

  /**
   * Returns whether the caches of readers pass these files on while they arrive. Files of unknown
   * size count as large enough: if they are small, many fetches cost little.
   */
  boolean isChained(FetchModel fetching) {
    boolean sizesKnown = files.stream().allMatch(DataFile::sizeKnown);
    return fetching.once()
        && readers.wholly()
        && (!sizesKnown || bytesEach() >= fetching.chainedBytes());
  }

  /** Returns whether HDFS gets these files later than their readers, if at all. */
  boolean staysOnNode(FetchModel fetching) {
    return fetching.fromNodes() && readers.wholly() && !isRegions();
  }

  /** Returns whether the worker cache keeps these files. It keeps no regions. */
  private boolean isWorthKeeping(ClusterShape shape) {
    return readers.wholly()
        && KeptInputs.isWorthKeeping(bytesEach(), readers.each(), shape.nodes());
  }
}

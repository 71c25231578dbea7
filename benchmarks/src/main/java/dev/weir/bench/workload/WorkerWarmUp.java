package dev.weir.bench.workload;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Makes each worker read and write files before the counted tasks: in HDFS, and as intermediate
 * files, which may stay on nodes. Workers are new processes in each run, and the cost of a worker's
 * first task would count against setups that use more workers. Stock distributes a sequence of
 * tasks over several workers, Weir gives all to one.
 *
 * <p>The counted tasks wait for one short task rather than for the warm-up tasks. Otherwise Weir
 * would copy their inputs ahead during the warm-up, before their time is measured.
 */
public final class WorkerWarmUp {
  public static final String TYPE = "warm-up";

  /**
   * The size of a file. It loads the classes that move files of up to 1 MiB. A worker's first
   * larger output costs about 50 ms more of processor time. That is counted in every setup, because
   * files of that size on each worker would count as use of HDFS.
   */
  public static final int BYTES = 100_000;

  /** A workflow input that all workers read. */
  private static final String INPUT = "weir-warm-up-in";

  private WorkerWarmUp() {}

  /** The shell commands that write and read the files. */
  public interface Commands {
    /** Writes {@link #BYTES} zeros, for stand-ins too. */
    Commands ZEROS =
        new Commands() {
          @Override
          public String store(String file) {
            return "head -c " + BYTES + " /dev/zero > " + file;
          }

          @Override
          public String read(String file) {
            return "cat " + file + " > /dev/null";
          }
        };

    /** Returns a command that writes a file of {@link #BYTES}. */
    String store(String file);

    String read(String file);
  }

  /**
   * Writes the input of the warm-up.
   *
   * @param fs HDFS
   * @param data the directory of the run's files
   * @throws IOException when it cannot be written
   */
  public static void provide(FileSystem fs, Path data) throws IOException {
    try (OutputStream out = fs.create(new Path(data, INPUT))) {
      out.write(new byte[BYTES]);
    }
  }

  /**
   * Adds the warm-up to a workflow.
   *
   * @param work the counted workflow
   * @param workers the number of workers
   * @param commands the commands of the warm-up
   * @return the workflow with two more tasks per worker, and one that ends after all of these;
   *     tasks without predecessors wait for it. It has one more input, which {@link #provide}
   *     writes
   */
  public static Workflow of(Workflow work, int workers, Commands commands) {
    Map<String, DataFile> files = new LinkedHashMap<>(work.files());
    files.put(INPUT, new DataFile(INPUT, BYTES));
    List<String> stored = new ArrayList<>();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      files.put(file(i), new DataFile(file(i), BYTES));
      files.put(result(i), new DataFile(result(i), 1));
      stored.add(TYPE + "-store-" + i);
      read.add(TYPE + "-read-" + i);
    }
    List<Task> all = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      String file = file(i);
      List<String> store =
          shell(
              "cat %s > /dev/null && printf 0 > %s && %s"
                  .formatted(INPUT, result(i), commands.store(file)));
      List<String> check = shell(commands.read(file));
      List<String> outputs = List.of(file, result(i));
      all.add(new Task(stored.get(i), TYPE, store, List.of(INPUT), outputs, List.of(), 0));
      all.add(new Task(read.get(i), TYPE, check, List.of(file), List.of(), stored, 0));
    }
    WorkflowGraph graph = work.graph();
    String last = TYPE + "-over";
    all.add(new Task(last, TYPE, shell(":"), List.of(), List.of(), read, 0));
    for (Task task : work.tasks()) {
      boolean first = graph.parents(task.id()).isEmpty();
      all.add(first ? TaskCopies.after(task, List.of(last)) : task);
    }
    return new Workflow(work.name(), all, files);
  }

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script);
  }

  /** Returns a name that no published recording has. */
  private static String file(int number) {
    return "weir-warm-up-" + number;
  }

  /** Returns the name of a file that no task reads. Its late replicas must not load the links. */
  private static String result(int number) {
    return file(number) + "-result";
  }
}

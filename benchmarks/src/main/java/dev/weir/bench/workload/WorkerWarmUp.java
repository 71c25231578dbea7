package dev.weir.bench.workload;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Has each worker store a file and read one before what counts begins. Workers' processes are new
 * in each run, and what the first task of one costs would count against whoever uses more of them:
 * of tasks that follow each other stock HDFS gives each to another worker, Weir all to one.
 *
 * <p>What counts waits for one short task, not for those that warm up: while a task waits for
 * running ones alone, Weir copies its inputs to where it will run, before the clock runs.
 */
public final class WorkerWarmUp {
  /** What the tasks are called. */
  public static final String TYPE = "warm-up";

  /**
   * Of a file. What moves files of up to 1 MiB is loaded by that; what a worker's first larger
   * output costs beyond it, some 50 ms of a processor, is counted in every setup: a file so large
   * on each worker would be in what HDFS holds.
   */
  public static final int BYTES = 100_000;

  private WorkerWarmUp() {}

  /** How a command writes and reads the files. */
  public interface Commands {
    /** As much of nothing as {@link #BYTES}, for stand-ins too. */
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

    /** Writes a file of {@link #BYTES}, for a shell. */
    String store(String file);

    /** Reads one, for a shell. */
    String read(String file);
  }

  /**
   * A workflow after each worker has warmed up.
   *
   * @param work what counts
   * @param workers how many there are
   * @param commands with which they do
   * @return the workflow with two tasks more for each worker, and one that ends when all of these
   *     have; those of the work that waited for nothing wait for it
   */
  public static Workflow of(Workflow work, int workers, Commands commands) {
    Map<String, DataFile> files = new LinkedHashMap<>(work.files());
    List<String> stored = new ArrayList<>();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      files.put(file(i), new DataFile(file(i), BYTES));
      stored.add(TYPE + "-store-" + i);
      read.add(TYPE + "-read-" + i);
    }
    List<Task> all = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      String file = file(i);
      List<String> store = shell(commands.store(file));
      List<String> check = shell(commands.read(file));
      all.add(new Task(stored.get(i), TYPE, store, List.of(), List.of(file), List.of(), 0));
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

  /** A name that no published recording has. */
  private static String file(int number) {
    return "weir-warm-up-" + number;
  }
}

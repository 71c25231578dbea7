package dev.weir.bench.runner;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a workflow of many tasks with files, and the plan of its run as a client writes it for the
 * ApplicationMaster. {@code benchmarks/run master} measures the memory for it. Every second task
 * reads the output of the task before it. Each task reads an input of its own and writes a file.
 */
public final class LargeRun {

  private static final long INPUT_BYTES = 3_000_000;
  private static final long OUTPUT_BYTES = 1_000_000;
  private static final double SECONDS = 10;

  private LargeRun() {}

  /**
   * Writes the workflow or the plan.
   *
   * @param args {@code workflow FILE TASKS}, or {@code plan FILE PLAN WORKERS}
   */
  public static void main(String[] args) throws IOException, WorkflowException {
    if (args[0].equals("workflow")) {
      WfFormatWriter.write(workflow(Integer.parseInt(args[2])), Path.of(args[1]));
    } else {
      plan(Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]));
    }
  }

  private static Workflow workflow(int count) {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    String before = "";
    for (int i = 0; i < count; i++) {
      String input = String.format(Locale.ROOT, "raw/sample-%06d.fastq.gz", i);
      String type = i % 2 == 0 ? "align" : "merge";
      String output = String.format(Locale.ROOT, "%s/sample-%06d.bam", type, i);
      files.put(input, new DataFile(input, INPUT_BYTES));
      files.put(output, new DataFile(output, OUTPUT_BYTES));
      List<String> command = new ArrayList<>(List.of("bin/" + type, "--threads", "1", "--in"));
      command.add(input);
      List<String> inputs = new ArrayList<>(List.of(input));
      if (i % 2 == 1) {
        command.addAll(List.of("--with", before));
        inputs.add(before);
      }
      command.addAll(List.of("--out", output));
      tasks.add(
          new Task(
              String.format(Locale.ROOT, "%s_ID%06d", type, i),
              type,
              command,
              inputs,
              List.of(output),
              SECONDS));
      before = output;
    }
    return new Workflow("large", tasks, files);
  }

  /** Imports the file as a client does, and writes the plan. */
  private static void plan(Path file, Path plan, int workers)
      throws IOException, WorkflowException {
    Workflow workflow = Importers.standard().read(file, ImportSettings.NONE).workflow();
    RunPlan run =
        new RunPlan(
            workflow,
            Mode.WEIR,
            "hdfs://simulated:8020",
            "/user/alice/large",
            false,
            WorkerPlan.DEFAULT.withCount(workers),
            Map.of(),
            Map.of(),
            "alice",
            RunOptions.DEFAULT.withKeep(RetentionPolicy.BY_MODE),
            Map.of());
    new ObjectMapper().writeValue(plan.toFile(), run);
    System.err.printf(
        Locale.ROOT,
        "%,d tasks, %,d files: the workflow's file %,d bytes, the plan %,d%n",
        workflow.tasks().size(),
        workflow.files().size(),
        Files.size(file),
        Files.size(plan));
  }
}

package dev.weir.bench.griddb;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.griddb.GridDbRun.Outcome;
import dev.weir.bench.griddb.GridDbWorkflow.Shape;
import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.report.ReportPage;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir bench griddb}. */
@Command(
    name = GridDbCommand.NAME,
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs the two workflows of GridDB's evaluation (2005) with an ApplicationMaster in a process"
          + " of its own and workers that wait in place of their tasks. Measures the workers'"
          + " utilisation, the work of the ApplicationMaster and of PostgreSQL.",
      "An image has 1 + 16 tasks (pieces), or 5 tasks with 788 to 876 inputs each (decomposed). Its"
          + " tasks take 1,940 seconds together. Needs no cluster and no root; PostgreSQL comes with the benchmarks."
    },
    footer = {"", "Examples:", "  weir bench griddb", "  weir bench griddb --workflows decomposed"})
@OptionSection(heading = "What to run", options = "--workflows --images --nodes --speed-up --out")
public final class GridDbCommand implements Callable<Integer> {
  static final String NAME = "griddb";
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Spec private CommandSpec spec;

  @Option(
      names = "--workflows",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "pieces,decomposed",
      description = "pieces, decomposed, or both (default: ${DEFAULT-VALUE}).")
  private List<Shape> workflows;

  @Option(
      names = "--images",
      paramLabel = "N",
      defaultValue = "256",
      description = "Number of images (default: ${DEFAULT-VALUE}).")
  private int images;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "128",
      description = "Number of workers, one a node (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--speed-up",
      paramLabel = "F",
      defaultValue = "20",
      description =
          "Run times are divided by this, so the load is that of F x as many nodes (default:"
              + " ${DEFAULT-VALUE}).")
  private double speedUp;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "weir-bench/${COMMAND-NAME}",
      description =
          "The directory that receives table, CSV, page, journals and logs (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() throws IOException, InterruptedException, SQLException {
    List<GridDbWorkflow> all =
        Usage.checked(
            spec,
            () -> {
              if (nodes < 1) {
                throw new IllegalArgumentException("Give --nodes of 1 or more: " + nodes);
              }
              return workflows.stream()
                  .map(shape -> new GridDbWorkflow(shape, images, speedUp))
                  .toList();
            });
    Files.createDirectories(out);
    List<Outcome> runs = new ArrayList<>();
    for (GridDbWorkflow workflow : all) {
      Path directory = Files.createTempDirectory(out.toAbsolutePath(), workflow.shape().label());
      runs.add(GridDbRun.of(workflow, nodes, directory));
      write(runs);
    }
    spec.commandLine().getOut().println(table(runs));
    return 0;
  }

  private void write(List<Outcome> runs) throws IOException {
    StringBuilder csv = new StringBuilder("workflow,second,utilisation\n");
    ObjectNode data = new ObjectMapper().createObjectNode().put("tables", table(runs));
    ObjectNode series = data.putObject("utilisation");
    for (Outcome run : runs) {
      List<Double> shares = run.utilisation().overTime(INTERVAL_NANOS);
      for (int second = 0; second < shares.size(); second++) {
        csv.append(
            String.format(
                Locale.ROOT, "%s,%d,%.4f%n", run.shape().label(), second, shares.get(second)));
      }
      shares.forEach(series.putArray(run.shape().label())::add);
    }
    Files.writeString(out.resolve("griddb.csv"), csv);
    Files.writeString(out.resolve("griddb.md"), table(runs));
    Files.writeString(
        out.resolve("griddb.html"),
        ReportPage.of(getClass(), NAME, "GridDB's workflows", data.toString()));
  }

  private static String table(List<Outcome> runs) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "workflow",
                "tasks",
                "inputs a task",
                "s",
                "utilisation after the ramp",
                "whole run",
                "pause between tasks, ms: median (p99)",
                "ApplicationMaster, ms of CPU a task (loop, RPC, reports)",
                "journal, bytes a task",
                "its heap, MB",
                "database: rows a task",
                "ms a task"));
    runs.forEach(run -> table.row(GridDbRun.cells(run)));
    return table.toString();
  }
}

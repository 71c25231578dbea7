package dev.weir.cli.workflow;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for reading a workflow file. */
public final class WorkflowOptions {
  /** The supported formats, for help texts. */
  public static final String FORMATS =
      "WfFormat 1.4 to 1.6, JX, Makeflow, Pegasus 5 YAML or DAX XML";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Format of FILE: wfformat, jx, makeflow, pegasus or dax (default: by content or name).")
  private @Nullable String format;

  @Option(
      names = "--define",
      paramLabel = "NAME=JX",
      description =
          "Defines a variable of a JX workflow, as in N=10 or 'DB=\"nt\"'; may be repeated.")
  private Map<String, String> definitions = new LinkedHashMap<>();

  @Option(
      names = "--args",
      paramLabel = "FILE",
      description = "JX file with an object that defines variables of a JX workflow.")
  private @Nullable Path arguments;

  /** Returns the HDFS directory of a workflow's files: as given, or one named after it. */
  public static String dataDirectory(@Nullable String given, Workflow workflow) {
    return given == null || given.isBlank()
        ? "weir/" + workflow.name().replaceAll("[^A-Za-z0-9._-]", "_")
        : given;
  }

  /**
   * Reads a workflow and prints warnings about ignored parts.
   *
   * @param err receives the warnings, a line each
   * @throws WorkflowException if it cannot be read or run
   */
  public ImportedWorkflow read(Path file, PrintWriter err) throws WorkflowException {
    ImportedWorkflow imported = read(file);
    warn(file, imported.warnings(), err);
    return imported;
  }

  /**
   * Reads a workflow whose commands will run, and prints warnings about ignored parts.
   *
   * @param err receives the warnings, a line each
   * @throws WorkflowException if it cannot be read or run
   */
  public Workflow readToRun(Path file, PrintWriter err) throws WorkflowException {
    ImportedWorkflow imported = read(file);
    warn(file, imported.warningsOfRun(), err);
    return imported.workflow();
  }

  private ImportedWorkflow read(Path file) throws WorkflowException {
    ImportSettings settings = new ImportSettings(System.getenv(), definitions, arguments);
    return format == null
        ? Importers.standard().read(file, settings)
        : Importers.standard().read(file, format, settings);
  }

  private static void warn(Path file, List<String> warnings, PrintWriter err) {
    for (String warning : warnings) {
      err.println(file + ": warning: " + warning);
    }
    err.flush();
  }
}

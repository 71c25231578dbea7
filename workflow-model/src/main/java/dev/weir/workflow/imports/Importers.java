package dev.weir.workflow.imports;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.JxImporter;
import dev.weir.workflow.makeflow.MakeflowReader;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.pegasus.DaxReader;
import dev.weir.workflow.pegasus.PegasusReader;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the importer for a workflow file: the first that accepts its content, or else the first
 * that accepts its name. Thread-safe.
 */
public final class Importers {

  /** This many values of JX take about 50 MB of memory. */
  private static final int FEW_VALUES = 500_000;

  private final List<WorkflowImporter> importers;

  private Importers(List<WorkflowImporter> importers) {
    this.importers = List.copyOf(importers);
  }

  /** Returns the importers of all formats. */
  public static Importers standard() {
    return of(JxImporter.standard());
  }

  /** Returns importers for a process with a small heap. */
  public static Importers forSmallHeap() {
    return of(JxImporter.of(FEW_VALUES));
  }

  private static Importers of(WorkflowImporter jx) {
    return new Importers(
        List.of(
            WfFormatReader.IMPORTER,
            jx,
            DaxReader.IMPORTER,
            PegasusReader.IMPORTER,
            MakeflowReader.IMPORTER));
  }

  /**
   * Reads a file of any known format.
   *
   * @param settings the user's settings
   * @return the workflow, ready to run
   * @throws WorkflowException if no format fits, or the workflow is invalid
   */
  public ImportedWorkflow read(Path file, ImportSettings settings) throws WorkflowException {
    return read(file, settings, 0);
  }

  /** Reads a file of a workflow that is inside of others. */
  ImportedWorkflow read(Path file, ImportSettings settings, int depth) throws WorkflowException {
    WorkflowSource source = WorkflowSource.of(file, settings);
    return read(find(source), source, depth);
  }

  /**
   * Reads a workflow that is in memory.
   *
   * @return the workflow, ready to run
   * @throws WorkflowException if no format fits, or the workflow is invalid
   */
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    return read(find(source), source, 0);
  }

  private ImportedWorkflow read(WorkflowImporter importer, WorkflowSource source, int depth)
      throws WorkflowException {
    return new SubWorkflowExpander(this).expand(source, importer.read(source), depth);
  }

  /**
   * Reads a file in a given format.
   *
   * @param format a name as {@link WorkflowImporter#format} has it
   * @param settings the user's settings
   * @return the workflow, ready to run
   * @throws WorkflowException if the format is unknown, or the workflow is invalid
   */
  public ImportedWorkflow read(Path file, String format, ImportSettings settings)
      throws WorkflowException {
    WorkflowSource source = WorkflowSource.of(file, settings);
    for (WorkflowImporter importer : importers) {
      if (importer.format().equals(format)) {
        return read(importer, source, 0);
      }
    }
    throw new WorkflowException(
        file.toString(),
        "",
        "there is no format '" + format + "'",
        "name one of " + formats(),
        /* cause= */ null);
  }

  /**
   * Finds the importer for a file.
   *
   * @throws WorkflowException when no format fits
   */
  public WorkflowImporter find(WorkflowSource source) throws WorkflowException {
    if (source.text().isBlank()) {
      throw new WorkflowException(
          source.name(), "", "the file is empty", "give a workflow", /* cause= */ null);
    }
    String fileName = source.name().substring(source.name().lastIndexOf('/') + 1);
    Optional<WorkflowImporter> found =
        importers.stream()
            .filter(importer -> importer.content().test(source))
            .findFirst()
            .or(
                () ->
                    importers.stream().filter(importer -> importer.fitsName(fileName)).findFirst());
    if (found.isEmpty()) {
      throw new WorkflowException(
          source.name(),
          "",
          "neither its content nor its name is that of a known workflow format",
          "give a file in one of these formats, or name its format: " + descriptions(),
          /* cause= */ null);
    }
    return found.get();
  }

  /** Returns the names of all formats, separated by commas. */
  public String formats() {
    return importers.stream().map(WorkflowImporter::format).collect(Collectors.joining(", "));
  }

  private String descriptions() {
    return importers.stream()
        .map(importer -> importer.description() + " (" + importer.format() + ")")
        .collect(Collectors.joining(", "));
  }
}

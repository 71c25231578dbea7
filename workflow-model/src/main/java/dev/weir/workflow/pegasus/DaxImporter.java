package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Locale;

/** Reads DAX, the XML format of Pegasus before version 5, with its embedded catalogs. */
public final class DaxImporter implements WorkflowImporter {

  public DaxImporter() {}

  @Override
  public String format() {
    return "dax";
  }

  @Override
  public String description() {
    return "DAX XML";
  }

  @Override
  public boolean fitsContent(WorkflowSource source) {
    return source.text().stripLeading().startsWith("<") && source.text().contains("<adag");
  }

  @Override
  public boolean fitsName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(".dax") || name.endsWith(".xml");
  }

  @Override
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    return new DaxReader(source, format()).read();
  }
}

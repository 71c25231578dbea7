package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads workflows of Pegasus 5 in YAML. Catalogs are in the same file, at the paths in {@code
 * pegasus.properties}, or next to the file under their usual names.
 */
public final class PegasusImporter implements WorkflowImporter {

  private static final Pattern KEYS =
      Pattern.compile("(?m)^(\"?pegasus\"?|x-pegasus|jobDependencies)\\s*:");

  public PegasusImporter() {}

  @Override
  public String format() {
    return "pegasus";
  }

  @Override
  public String description() {
    return "Pegasus 5 YAML";
  }

  @Override
  public boolean fitsContent(WorkflowSource source) {
    return KEYS.matcher(source.text()).find();
  }

  @Override
  public boolean fitsName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(".yml") || name.endsWith(".yaml");
  }

  @Override
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    return new PegasusReader(source, format()).read();
  }
}

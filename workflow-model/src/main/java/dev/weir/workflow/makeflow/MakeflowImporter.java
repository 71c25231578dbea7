package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads workflows in the make-like language of Makeflow. */
public final class MakeflowImporter implements WorkflowImporter {

  /**
   * A line with files and a colon, without an equals sign before it, followed by an indented line.
   */
  private static final Pattern RULE =
      Pattern.compile(
          "(?m)^[^\\s#:={}<\\[][^#:={}\\n]*:(?!//)[^\\n]*\\n([ \\t]*(#[^\\n]*)?\\n)*[ \\t@]");

  public MakeflowImporter() {}

  @Override
  public String format() {
    return "makeflow";
  }

  @Override
  public String description() {
    return "Makeflow";
  }

  @Override
  public boolean fitsContent(WorkflowSource source) {
    String text = source.text().stripLeading();
    boolean other = text.startsWith("{") || text.startsWith("<") || text.startsWith("---");
    return !other && RULE.matcher(source.text()).find();
  }

  @Override
  public boolean fitsName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(".mf") || name.endsWith(".makeflow") || name.equals("makeflow");
  }

  @Override
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    return new MakeflowReader(source, format()).read();
  }
}

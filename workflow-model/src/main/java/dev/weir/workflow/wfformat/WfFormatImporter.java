package dev.weir.workflow.wfformat;

import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Reads WfFormat 1.4 to 1.6, see {@link WfFormatReader}. */
public final class WfFormatImporter implements WorkflowImporter {

  private static final Pattern KEYS =
      Pattern.compile("\"(schemaVersion|specification|workflow)\"\\s*:");
  private static final Pattern RULES = Pattern.compile("\"rules\"\\s*:");

  public WfFormatImporter() {}

  @Override
  public String format() {
    return "wfformat";
  }

  @Override
  public String description() {
    return "WfFormat 1.4 to 1.6";
  }

  @Override
  public boolean fitsContent(WorkflowSource source) {
    String text = source.text();
    return text.stripLeading().startsWith("{")
        && KEYS.matcher(text).find()
        && !RULES.matcher(text).find();
  }

  @Override
  public boolean fitsName(String fileName) {
    return fileName.endsWith(".json");
  }

  @Override
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    byte[] bytes = source.text().getBytes(StandardCharsets.UTF_8);
    WfDocument document = WfFormatReader.document(bytes, source.name());
    Workflow workflow = document.toWorkflow();
    return new ImportedWorkflow(workflow, format(), document.warnings());
  }
}

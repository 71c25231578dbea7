package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads workflows in WfFormat 1.4 to 1.6. In 1.5 and 1.6, sizes come from {@code
 * workflow.specification.files}, commands and runtimes from {@code workflow.execution.tasks},
 * joined by id. A file in 1.4 is converted to 1.5 first. Unknown keys are ignored. Errors name the
 * file, the place (line and column of invalid JSON, JSON pointer of invalid content) and the
 * remedy.
 */
public final class WfFormatReader {

  private static final ObjectReader JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build().reader();

  private static final Pattern PARSER_OPTIONS =
      Pattern.compile(
          ", from `[^`]*`|: enable `[^`]*` to allow| \\(not recognized as one since Feature[^)]*\\)"
              + "|Source: REDACTED \\([^)]*\\); ");

  private static final Pattern KEYS =
      Pattern.compile("\"(schemaVersion|specification|workflow)\"\\s*:");
  private static final Pattern RULES = Pattern.compile("\"rules\"\\s*:");
  private static final String FORMAT = "wfformat";

  public static final WorkflowImporter IMPORTER =
      new WorkflowImporter(
          FORMAT,
          "WfFormat 1.4 to 1.6",
          WfFormatReader::hasKeys,
          List.of(".json"),
          WfFormatReader::read);

  /** Creates a reader. It is stateless and thread-safe. */
  public WfFormatReader() {}

  /**
   * Reads a workflow.
   *
   * @param bytes the JSON, in UTF-8
   * @param name its name in errors
   * @return the workflow, ready to run
   * @throws WorkflowException if the workflow is invalid
   */
  public Workflow read(byte[] bytes, String name) throws WorkflowException {
    return document(bytes, name).toWorkflow();
  }

  private static boolean hasKeys(WorkflowSource source) {
    String text = source.text();
    return text.stripLeading().startsWith("{")
        && KEYS.matcher(text).find()
        && !RULES.matcher(text).find();
  }

  private static ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    WfDocument document = document(source.text().getBytes(StandardCharsets.UTF_8), source.name());
    Workflow workflow = document.toWorkflow();
    return new ImportedWorkflow(workflow, FORMAT, document.warnings());
  }

  private static WfDocument document(byte[] bytes, String name) throws WorkflowException {
    JsonNode root = parse(bytes, name);
    return WfFormat14.is(root)
        ? new WfDocument(
            new JsonPlace(WfFormat14.upgraded(root), name + " (converted from 1.4 to 1.5)", ""))
        : new WfDocument(new JsonPlace(root, name, ""));
  }

  private static JsonNode parse(byte[] bytes, String file) throws WorkflowException {
    JsonNode root = tree(bytes, file);
    if (root == null || !root.isObject()) {
      throw new WorkflowException(
          file,
          "1:1",
          root == null ? "the file is empty" : "the file contains no JSON object",
          "give a WfFormat document: {\"name\": ..., \"schemaVersion\": \"1.5\", ...}",
          null);
    }
    return root;
  }

  private static @Nullable JsonNode tree(byte[] bytes, String file) throws WorkflowException {
    try (JsonParser parser = JSON.createParser(bytes)) {
      try {
        JsonNode root = JSON.readTree(parser);
        if (parser.nextToken() != null) {
          throw new WorkflowException(
              file,
              place(parser.currentTokenLocation()),
              "invalid JSON (text follows the end of the document)",
              "remove it: a file holds one document",
              /* cause= */ null);
        }
        return root;
      } catch (JsonEOFException e) {
        throw new WorkflowException(
            file,
            place(e.getLocation()),
            "the file ends in the middle of a value",
            "it seems to be truncated: fetch or write it again",
            e);
      } catch (JsonProcessingException e) {
        // Errors about length or depth have no place.
        JsonLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        throw new WorkflowException(
            file,
            place(at),
            "invalid JSON (" + withoutParserOptions(e.getOriginalMessage()) + ")",
            "correct it at that place",
            e);
      }
    } catch (WorkflowException e) {
      throw e;
    } catch (IOException e) {
      throw new WorkflowException(
          file, "", "not JSON in UTF-8 (" + e.getMessage() + ")", "save it as UTF-8", e);
    }
  }

  /** Removes the names of parser options, which users cannot change. */
  private static String withoutParserOptions(String message) {
    return PARSER_OPTIONS.matcher(message).replaceAll("");
  }

  private static String place(@Nullable JsonLocation at) {
    return at == null ? "" : at.getLineNr() + ":" + at.getColumnNr();
  }
}

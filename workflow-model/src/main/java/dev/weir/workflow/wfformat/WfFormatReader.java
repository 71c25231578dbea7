package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads workflows in WfFormat 1.5 and 1.6. Sizes come from {@code workflow.specification.files},
 * commands and runtimes from {@code workflow.execution.tasks}, joined by id. Unknown keys are
 * passed over. What cannot be run is refused with its file, its place (line and column of bad JSON,
 * JSON pointer of bad content) and what to write instead.
 */
public final class WfFormatReader {

  private static final ObjectReader JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build().reader();

  private static final Pattern SWITCHES =
      Pattern.compile(
          ", from `[^`]*`|: enable `[^`]*` to allow| \\(not recognized as one since Feature[^)]*\\)"
              + "|Source: REDACTED \\([^)]*\\); ");

  /** Makes a reader. It holds no state: one may serve any number of threads. */
  public WfFormatReader() {}

  /**
   * Reads a workflow.
   *
   * @param file the JSON file
   * @return the workflow, ready to run
   * @throws WorkflowException when the file cannot be read or what it says cannot be run
   */
  public Workflow read(Path file) throws WorkflowException {
    String name = file.toString();
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new WorkflowException(name, "", "no such file", "check the path", e);
    } catch (IOException e) {
      throw new WorkflowException(
          name,
          "",
          "cannot be read (" + e.getClass().getSimpleName() + ": " + e.getMessage() + ")",
          "name a JSON file that you may read",
          e);
    }
    return read(bytes, name);
  }

  /**
   * Reads a workflow that is in memory.
   *
   * @param bytes the JSON, in UTF-8
   * @param name what errors call it
   * @return the workflow, ready to run
   * @throws WorkflowException when what it says cannot be run
   */
  public Workflow read(byte[] bytes, String name) throws WorkflowException {
    return document(bytes, name).toWorkflow();
  }

  static WfDocument document(byte[] bytes, String name) throws WorkflowException {
    return new WfDocument(new JsonPlace(parse(bytes, name), name, ""));
  }

  private static JsonNode parse(byte[] bytes, String file) throws WorkflowException {
    JsonNode root = tree(bytes, file);
    if (root == null || !root.isObject()) {
      throw new WorkflowException(
          file,
          "1:1",
          root == null ? "the file is empty" : "the file holds no JSON object",
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
              "no valid JSON (something follows the end of the document)",
              "remove it: a file holds one document",
              /* cause= */ null);
        }
        return root;
      } catch (JsonEOFException e) {
        throw new WorkflowException(
            file,
            place(e.getLocation()),
            "the file ends in the middle of a value",
            "it seems to be cut off: fetch or write it again",
            e);
      } catch (JsonProcessingException e) {
        // What is too long or too deep comes without a place.
        JsonLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        throw new WorkflowException(
            file,
            place(at),
            "no valid JSON (" + withoutSwitches(e.getOriginalMessage()) + ")",
            "correct it at that place",
            e);
      }
    } catch (WorkflowException e) {
      throw e;
    } catch (IOException e) {
      throw new WorkflowException(
          file, "", "no JSON in UTF-8 (" + e.getMessage() + ")", "save it as UTF-8", e);
    }
  }

  /** The parser names its own switches, which nobody who has a workflow can turn. */
  private static String withoutSwitches(String message) {
    return SWITCHES.matcher(message).replaceAll("");
  }

  private static String place(@Nullable JsonLocation at) {
    return at == null ? "" : at.getLineNr() + ":" + at.getColumnNr();
  }
}

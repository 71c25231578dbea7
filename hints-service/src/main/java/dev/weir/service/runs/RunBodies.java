package dev.weir.service.runs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.weir.service.part.ProblemException;
import dev.weir.workflow.provenance.ProvenanceJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Parses request bodies that are values of run records. */
final class RunBodies {
  private RunBodies() {}

  /**
   * Parses a body.
   *
   * @throws ProblemException 400 that names the field
   */
  static <T> T read(InputStream body, Class<T> type) throws IOException {
    byte[] bytes = body.readAllBytes();
    T value;
    try {
      value = ProvenanceJson.read(bytes, type);
    } catch (UnrecognizedPropertyException e) {
      List<String> known = e.getKnownPropertyIds().stream().map(Object::toString).sorted().toList();
      throw ProblemException.invalid(
              pointer(e),
              "'" + e.getPropertyName() + "' is not a field of this call; leave it out",
              known)
          .because(e);
    } catch (JsonMappingException e) {
      throw ProblemException.invalid(pointer(e), reason(e)).because(e);
    } catch (JsonProcessingException e) {
      throw ProblemException.invalid("", "the body is not JSON: " + e.getOriginalMessage())
          .because(e);
    }
    if (value == null) {
      throw ProblemException.invalid("", "the body is not a JSON object; write { ... }");
    }
    return value;
  }

  private static String reason(JsonMappingException failure) {
    return failure.getCause() instanceof IllegalArgumentException refused
        ? String.valueOf(refused.getMessage())
        : failure.getOriginalMessage().replaceAll("`[^`]*\\.(\\w+)`", "$1");
  }

  private static String pointer(JsonMappingException failure) {
    StringBuilder pointer = new StringBuilder();
    for (JsonMappingException.Reference step : failure.getPath()) {
      String name = step.getFieldName();
      pointer
          .append('/')
          .append(
              name == null
                  ? Integer.toString(step.getIndex())
                  : name.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }
}

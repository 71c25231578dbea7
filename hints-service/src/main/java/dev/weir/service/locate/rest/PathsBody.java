package dev.weir.service.locate.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.InvalidHintException;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The body of a request with many paths. */
final class PathsBody {
  /** The most paths of one request. */
  static final int MAX_PATHS = 10_000;

  private static final String PATHS = "paths";

  private final ObjectNode body;
  private final List<FilePath> paths;

  private PathsBody(ObjectNode body, List<FilePath> paths) {
    this.body = body;
    this.paths = paths;
  }

  /**
   * Parses the body.
   *
   * @param fields the allowed fields; {@code paths} is mandatory
   * @throws ProblemException 400 that names the field
   */
  static PathsBody read(InputStream in, List<String> fields) throws IOException {
    ObjectNode body = RequestJson.readObject(in);
    for (Iterator<String> names = body.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!fields.contains(name)) {
        String pointer = "/" + name.replace("~", "~0").replace("/", "~1");
        throw new ProblemException(
            Problem.invalid(
                pointer, "'" + name + "' is not a field of this call; leave it out", fields));
      }
    }
    JsonNode paths = body.path(PATHS);
    if (!paths.isArray()) {
      throw new ProblemException(
          Problem.invalid("/paths", "is not an array; write {\"paths\":[\"/PATH\", ...]}"));
    }
    if (paths.size() > MAX_PATHS) {
      throw new ProblemException(
          Problem.invalid(
              "/paths",
              "there are "
                  + paths.size()
                  + " paths; send at most "
                  + MAX_PATHS
                  + " in one call, and the others in further calls"));
    }
    List<FilePath> read = new ArrayList<>(paths.size());
    for (int i = 0; i < paths.size(); i++) {
      read.add(path("/paths/" + i, paths.get(i)));
    }
    return new PathsBody(body, read);
  }

  List<FilePath> paths() {
    return paths;
  }

  /** Returns a field that is an integer. */
  int number(String name, int fallback, int max) {
    JsonNode value = body.path(name);
    if (value.isMissingNode()) {
      return fallback;
    }
    if (!value.isInt() || value.intValue() < 1 || value.intValue() > max) {
      throw new ProblemException(
          Problem.invalid(
              "/" + name,
              value + " is not a whole number from 1 to " + max,
              List.of("1 to " + max)));
    }
    return value.intValue();
  }

  private static FilePath path(String pointer, JsonNode value) {
    if (!value.isTextual()) {
      throw new ProblemException(
          Problem.invalid(pointer, "is not text; write a path in double quotes"));
    }
    return path(pointer, value.textValue());
  }

  static FilePath path(String field, String text) {
    try {
      return FilePath.parse(text);
    } catch (InvalidHintException e) {
      throw new ProblemException(Problem.invalid(field, String.valueOf(e.getMessage())), e);
    }
  }
}

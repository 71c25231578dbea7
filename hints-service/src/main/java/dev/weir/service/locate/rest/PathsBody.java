package dev.weir.service.locate.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.InvalidHintException;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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
    RequestJson.requireFields(body, fields);
    List<String> paths = RequestJson.texts(body, PATHS, "path");
    if (paths.size() > MAX_PATHS) {
      throw ProblemException.invalid(
          "/paths",
          "there are "
              + paths.size()
              + " paths; send at most "
              + MAX_PATHS
              + " in one call, and the others in further calls");
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

  int number(String name, int fallback, int max) {
    JsonNode value = body.path(name);
    if (value.isMissingNode()) {
      return fallback;
    }
    if (!value.isInt() || value.intValue() < 1 || value.intValue() > max) {
      throw ProblemException.invalid(
          "/" + name, value + " is not a whole number from 1 to " + max, List.of("1 to " + max));
    }
    return value.intValue();
  }

  static FilePath path(String field, String text) {
    try {
      return FilePath.parse(text);
    } catch (InvalidHintException e) {
      throw ProblemException.invalid(field, String.valueOf(e.getMessage())).because(e);
    }
  }
}

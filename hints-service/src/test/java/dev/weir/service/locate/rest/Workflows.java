package dev.weir.service.locate.rest;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small workflows in WfFormat. */
public final class Workflows {
  /** One task writes what another reads. */
  public static final String TWO_STEPS =
      """
      {"name": "two", "schemaVersion": "1.5", "workflow": {"specification": {
        "tasks": [
          {"name": "a", "id": "a", "parents": [], "children": ["b"],
           "inputFiles": ["in"], "outputFiles": ["between"]},
          {"name": "b", "id": "b", "parents": ["a"], "children": [],
           "inputFiles": ["between"], "outputFiles": ["out"]}],
        "files": [
          {"id": "in", "sizeInBytes": 1000},
          {"id": "between", "sizeInBytes": 1000},
          {"id": "out", "sizeInBytes": 1000}]}}}
      """;

  /** Several tasks read one file of a given size. */
  static String readByMany(int tasks, long bytes) {
    String readers =
        IntStream.range(0, tasks)
            .mapToObj(
                i ->
                    "{\"name\":\"use\",\"id\":\"use-%d\",\"inputFiles\":[\"in\"],\"outputFiles\":[]}"
                        .formatted(i))
            .collect(Collectors.joining(","));
    return "{\"name\":\"many\",\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":["
        + readers
        + "],\"files\":[{\"id\":\"in\",\"sizeInBytes\":"
        + bytes
        + "}]}}}";
  }

  private Workflows() {}
}

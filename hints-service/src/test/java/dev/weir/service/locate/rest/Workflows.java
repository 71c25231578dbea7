package dev.weir.service.locate.rest;

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

  private Workflows() {}
}

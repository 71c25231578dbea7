package dev.weir.workflow.pegasus;

import java.util.Map;

/**
 * A program of a catalog.
 *
 * @param name what jobs call it
 * @param path where it is: on every node if it is installed, else where whoever wrote the catalog
 *     has it
 * @param installed whether it is on every node
 * @param environment variables that it wants
 */
record Transformation(Name name, String path, boolean installed, Map<String, String> environment) {

  Transformation {
    environment = Map.copyOf(environment);
  }

  /**
   * The name of a program.
   *
   * @param namespace empty for none
   * @param name never empty
   * @param version empty for none
   */
  record Name(String namespace, String name, String version) {

    /** Whether this name, of a catalog, can be meant by a job's; what it leaves out fits all. */
    boolean fits(Name job) {
      return name.equals(job.name)
          && (namespace.isEmpty() || namespace.equals(job.namespace))
          && (version.isEmpty() || version.equals(job.version));
    }

    @Override
    public String toString() {
      return (namespace.isEmpty() ? "" : namespace + "::")
          + name
          + (version.isEmpty() ? "" : ":" + version);
    }
  }

  /** The name of the file. */
  String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}

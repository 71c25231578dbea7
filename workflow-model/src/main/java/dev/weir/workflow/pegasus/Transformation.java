package dev.weir.workflow.pegasus;

import java.util.Map;

/**
 * A program of a catalog.
 *
 * @param name its name in jobs
 * @param path its path: on every node if it is installed, otherwise on the machine of the catalog's
 *     author
 * @param installed whether it is installed on every node
 * @param environment environment variables that it needs
 * @param image the image of its container; empty for none
 */
record Transformation(
    Name name, String path, boolean installed, Map<String, String> environment, String image) {

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

    /**
     * Returns whether this name in a catalog matches a job's name. Empty parts match everything.
     */
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

  String fileName() {
    return path.substring(path.lastIndexOf('/') + 1).replaceFirst("[?#].*", "");
  }
}

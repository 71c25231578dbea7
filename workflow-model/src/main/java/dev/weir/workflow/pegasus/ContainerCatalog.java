package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.model.ContainerImage;
import dev.weir.workflow.model.WorkflowException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The containers of a transformation catalog. */
final class ContainerCatalog {

  private static final String KEY = "container";
  private static final String DOCKER = "docker://";

  private final Map<String, Container> containers = new HashMap<>();

  private ContainerCatalog() {}

  /**
   * A container.
   *
   * @param image its image; empty for none
   * @param environment variables of each command in it
   */
  record Container(String image, Map<String, String> environment) {

    private static final Container NONE = new Container("", Map.of());
  }

  /** Reads the containers of a catalog. */
  static ContainerCatalog of(YamlNode catalog, WorkflowDraft draft) throws WorkflowException {
    ContainerCatalog read = new ContainerCatalog();
    for (YamlNode entry : catalog.list("containers", "a container")) {
      String name = entry.require("name", "name the container").nonBlankText();
      read.containers.put(name, new Container(image(entry, draft), Catalogs.environment(entry)));
      if (entry.get("mounts").isPresent()) {
        draft.warn(
            "the mounts of the container '"
                + name
                + "' are ignored: tasks see only their inputs and outputs");
      }
    }
    return read;
  }

  /**
   * Pegasus fetches images from anywhere. Here a file must be in the data directory like any input,
   * under its own name.
   */
  private static String image(YamlNode entry, WorkflowDraft draft) throws WorkflowException {
    YamlNode node = entry.require("image", "give the URL of the image");
    String url = node.nonBlankText();
    if (url.startsWith(DOCKER)) {
      // Pegasus writes three slashes.
      return DOCKER + url.substring(DOCKER.length()).replaceFirst("^/+", "");
    }
    String file = url.substring(url.lastIndexOf('/') + 1);
    boolean isPath = url.startsWith("/") || url.matches("(file|https?|ftp|gsiftp|scp):.*");
    try {
      if (!isPath) {
        return new ContainerImage(url).text();
      }
      if (new ContainerImage(file).isFile()) {
        draft.warn("the image " + file + " is an input of the workflow (it was at " + url + ")");
        return file;
      }
    } catch (IllegalArgumentException e) {
      throw node.problem(String.valueOf(e.getMessage()), "correct the image");
    }
    throw node.problem(
        "the image '" + url + "' is a file of an unknown kind",
        "name it with the ending .tar, .tar.gz or .sif");
  }

  /** Returns the container that a site of a transformation names, or else the transformation. */
  Container find(YamlNode site, YamlNode transformation) throws WorkflowException {
    Optional<YamlNode> named = site.get(KEY).isPresent() ? site.get(KEY) : transformation.get(KEY);
    if (named.isEmpty()) {
      return Container.NONE;
    }
    Container found = containers.get(named.get().nonBlankText());
    if (found == null) {
      throw named
          .get()
          .problem(
              "no container is called '" + named.get().text() + "'",
              "add it to 'containers' of the catalog");
    }
    return found;
  }
}

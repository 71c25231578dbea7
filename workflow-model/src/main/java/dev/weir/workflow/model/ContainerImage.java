package dev.weir.workflow.model;

import java.util.List;
import java.util.Locale;

/**
 * The image of a task's container, as a workflow names it. A file is an archive of an image, such
 * as {@code tools.tar}, or an image of Apptainer, such as {@code tools.sif}; it is an input of the
 * task. Any other image is a name that the container runtime of the node resolves.
 *
 * @param text a file's id, or a name such as {@code docker://debian:12}
 */
public record ContainerImage(String text) {

  /** The ends of files that Apptainer alone can run. */
  private static final List<String> APPTAINER = List.of(".sif", ".simg", ".img");

  /** The ends of archives that each runtime can load. */
  private static final List<String> ARCHIVES = List.of(".tar", ".tar.gz", ".tgz");

  private static final String SCHEME = "://";

  /**
   * Validates the image.
   *
   * @throws IllegalArgumentException if the text is blank, or cannot name an image
   */
  public ContainerImage {
    boolean usable =
        !text.isBlank()
            && !text.startsWith("-")
            // podman and docker get what follows as an argument.
            && !text.endsWith(SCHEME)
            && !text.contains(SCHEME + "-")
            && PlainText.problem(text).isEmpty()
            && text.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
    if (!usable) {
      throw new IllegalArgumentException(
          "The container image '"
              + text
              + "' is invalid: write the name of an image, such as docker://debian:12, or of a file"
              + " that ends in .tar, .tar.gz or .sif");
    }
  }

  /** Returns whether the image is a file in HDFS. */
  public boolean isFile() {
    return !text.contains(SCHEME) && (hasEnd(APPTAINER) || hasEnd(ARCHIVES));
  }

  /** Returns whether only Apptainer can run it. */
  public boolean isForApptainerOnly() {
    return isFile() ? hasEnd(APPTAINER) : text.contains(SCHEME) && !text.startsWith("docker://");
  }

  private boolean hasEnd(List<String> ends) {
    String lower = text.toLowerCase(Locale.ROOT);
    return ends.stream().anyMatch(lower::endsWith);
  }
}

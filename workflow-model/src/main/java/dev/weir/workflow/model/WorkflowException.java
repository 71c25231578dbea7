package dev.weir.workflow.model;

import dev.weir.hints.Suggestion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workflow file or a run record is invalid. The message contains the file, the place and what to
 * do.
 */
public final class WorkflowException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int MOST = 10_000;

  private final String place;

  /**
   * Creates the exception and its message.
   *
   * @param place the place in it, such as a JSON pointer or {@code 3:14}; empty for the whole file
   * @param problem what is wrong, one clause
   * @param remedy what to do, one clause
   * @param cause the cause, or null
   */
  public WorkflowException(
      String file, String place, String problem, String remedy, @Nullable Throwable cause) {
    super(file + (place.isEmpty() ? "" : ": " + place) + ": " + problem + "; " + remedy, cause);
    this.place = place;
  }

  /** Creates the exception for a missing file, which names a file of a similar name. */
  public static WorkflowException noSuchFile(Path file, IOException cause) {
    String name = String.valueOf(file.getFileName());
    String question = Suggestion.question(name, beside(file));
    return new WorkflowException(
        file.toString(), "", "no such file", "check the path" + question, cause);
  }

  private static List<String> beside(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.limit(MOST).map(other -> String.valueOf(other.getFileName())).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /**
   * Returns the place in the file, such as a JSON pointer or {@code 3:14}; empty for the whole
   * file.
   */
  public String place() {
    return place;
  }
}

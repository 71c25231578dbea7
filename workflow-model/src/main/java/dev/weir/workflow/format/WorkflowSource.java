package dev.weir.workflow.format;

import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A workflow file that has been read into memory.
 *
 * @param name its name in errors
 * @param text its content
 * @param directory its directory, for catalogs and sizes of files next to it; null for a file from
 *     a network, which has no neighbours
 * @param settings the user's settings
 */
public record WorkflowSource(
    String name, String text, @Nullable Path directory, ImportSettings settings) {

  /**
   * Reads a file.
   *
   * @param settings the user's settings
   * @throws WorkflowException if it cannot be read or is not UTF-8
   */
  public static WorkflowSource of(Path file, ImportSettings settings) throws WorkflowException {
    String name = file.toString();
    try {
      Path parent = file.toAbsolutePath().getParent();
      return new WorkflowSource(name, decode(name, Files.readAllBytes(file)), parent, settings);
    } catch (NoSuchFileException e) {
      throw WorkflowException.noSuchFile(file, e);
    } catch (WorkflowException e) {
      throw e;
    } catch (IOException e) {
      if (Files.isDirectory(file)) {
        throw new WorkflowException(name, "", "it is a directory", "name a workflow file in it", e);
      }
      throw new WorkflowException(
          name,
          "",
          "cannot be read (" + e.getClass().getSimpleName() + ": " + e.getMessage() + ")",
          "name a workflow file that you may read",
          e);
    }
  }

  /**
   * Decodes bytes from a network.
   *
   * @param name their name in errors
   * @param bytes the content, in UTF-8
   * @throws WorkflowException when they are not UTF-8
   */
  public static WorkflowSource of(String name, byte[] bytes) throws WorkflowException {
    return new WorkflowSource(name, decode(name, bytes), null, ImportSettings.NONE);
  }

  private static String decode(String name, byte[] bytes) throws WorkflowException {
    CharBuffer decoded = CharBuffer.allocate(bytes.length);
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), decoded, true);
    String text = decoded.flip().toString();
    if (result.isError()) {
      throw new WorkflowException(
          name,
          TextPlace.endOf(text).toString(),
          "it is not text in UTF-8",
          "save it as UTF-8, or name a workflow file",
          /* cause= */ null);
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** Returns the path of a file next to this one; empty without a directory. */
  public Optional<Path> beside(String fileName) {
    return directory == null ? Optional.empty() : Optional.of(directory.resolve(fileName));
  }

  /** Returns the size of a regular file next to this one; empty if there is none. */
  OptionalLong sizeBeside(String fileId) {
    if (directory == null) {
      return OptionalLong.empty();
    }
    try {
      Path file = directory.resolve(fileId);
      return Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
    } catch (IOException | java.nio.file.InvalidPathException e) {
      return OptionalLong.empty(); // an unreadable size is unknown
    }
  }

  /**
   * Returns the name without directories and the last extension, for formats without workflow
   * names.
   */
  public String baseName() {
    String last = name.substring(name.lastIndexOf('/') + 1);
    int dot = last.lastIndexOf('.');
    String base = dot > 0 ? last.substring(0, dot) : last;
    return base.isBlank() ? "workflow" : base;
  }

  /**
   * Creates an exception.
   *
   * @param place the place in the file
   * @param problem what is wrong, one clause
   * @param remedy what to do, one clause
   */
  public WorkflowException problem(TextPlace place, String problem, String remedy) {
    return new WorkflowException(name, place.toString(), problem, remedy, /* cause= */ null);
  }
}

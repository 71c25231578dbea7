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
 * @param name what errors call it
 * @param text its content
 * @param directory where it lies, for catalogs and sizes of files beside it; null when it came over
 *     a network: then nothing beside it is looked at
 * @param settings what the reader adds
 */
public record WorkflowSource(
    String name, String text, @Nullable Path directory, ImportSettings settings) {

  /**
   * Reads a file.
   *
   * @param file the file
   * @param settings what the reader adds
   * @throws WorkflowException when it cannot be read or is not in UTF-8
   */
  public static WorkflowSource of(Path file, ImportSettings settings) throws WorkflowException {
    String name = file.toString();
    try {
      Path parent = file.toAbsolutePath().getParent();
      return new WorkflowSource(name, decode(name, Files.readAllBytes(file)), parent, settings);
    } catch (NoSuchFileException e) {
      throw new WorkflowException(name, "", "no such file", "check the path", e);
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
   * Takes bytes that came over a network.
   *
   * @param name what errors call them
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

  /** A file beside this one. */
  public Optional<Path> beside(String fileName) {
    return directory == null ? Optional.empty() : Optional.of(directory.resolve(fileName));
  }

  /** The size of a regular file beside this one; empty when there is none. */
  OptionalLong sizeBeside(String fileId) {
    if (directory == null) {
      return OptionalLong.empty();
    }
    try {
      Path file = directory.resolve(fileId);
      return Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
    } catch (IOException | java.nio.file.InvalidPathException e) {
      return OptionalLong.empty(); // A size that cannot be had is not known.
    }
  }

  /** The name without directories and the last extension; for formats that give a workflow none. */
  public String baseName() {
    String last = name.substring(name.lastIndexOf('/') + 1);
    int dot = last.lastIndexOf('.');
    String base = dot > 0 ? last.substring(0, dot) : last;
    return base.isBlank() ? "workflow" : base;
  }

  /**
   * A refusal.
   *
   * @param place where in the file
   * @param problem what is wrong, one clause
   * @param remedy what to do, one clause
   */
  public WorkflowException problem(TextPlace place, String problem, String remedy) {
    return new WorkflowException(name, place.toString(), problem, remedy, /* cause= */ null);
  }
}

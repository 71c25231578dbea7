package dev.weir.workflow.sandbox;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the outputs that an order describes by patterns. A pattern that matches a directory finds
 * all files below it. As in shells, wildcards do not match hidden files. Inputs and declared
 * outputs are not found, except for inputs that a pattern names literally.
 */
public final class GlobOutputs {

  private final FileSlot slot;
  private final PathMatcher matcher;

  private GlobOutputs(FileSlot slot) {
    this.slot = slot;
    this.matcher = FileSystems.getDefault().getPathMatcher("glob:" + slot.name());
  }

  /**
   * Returns the outputs of an order: those that were found, the declared ones, and the patterns.
   * They are renamed in this order. Engines may take a declared output as the sign that all outputs
   * are committed.
   */
  public static List<FileSlot> find(TaskOrder order, Sandbox sandbox) throws IOException {
    List<FileSlot> named = new ArrayList<>();
    List<GlobOutputs> globs = new ArrayList<>();
    for (FileSlot output : order.outputs()) {
      if (output.kind() == Kind.GLOB) {
        globs.add(new GlobOutputs(output));
      } else {
        named.add(output);
      }
    }
    if (globs.isEmpty()) {
      return order.outputs();
    }
    Map<String, String> inputs =
        order.inputs().stream().collect(toMap(FileSlot::name, FileSlot::path));
    Set<String> declared = named.stream().map(FileSlot::name).collect(toSet());
    List<FileSlot> outputs = new ArrayList<>();
    Path work = sandbox.work();
    try (Stream<Path> files = Files.walk(work)) {
      files
          .filter(Files::isRegularFile)
          .map(work::relativize)
          .filter(file -> !declared.contains(file.toString()))
          .sorted()
          .forEach(
              file -> {
                String input = inputs.get(file.toString());
                globs.stream()
                    .filter(glob -> input == null ? glob.matches(file) : glob.copies(file, input))
                    .findFirst()
                    .ifPresent(glob -> outputs.add(glob.found(file)));
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    outputs.addAll(named);
    globs.forEach(glob -> outputs.add(glob.slot));
    return outputs;
  }

  /**
   * Returns whether the pattern names an input literally, and the input is not at the path of the
   * output already.
   */
  private boolean copies(Path file, String input) {
    return names(file) && !found(file).path().equals(input);
  }

  private boolean names(Path file) {
    return slot.name().equals(file.toString());
  }

  private boolean matches(Path file) {
    if (names(file)) {
      return true;
    }
    if (isHidden(file) && !isHidden(Path.of(slot.name()))) {
      return false;
    }
    for (Path at = file; at != null; at = at.getParent()) {
      if (matcher.matches(at) || names(at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHidden(Path file) {
    for (Path part : file) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private FileSlot found(Path file) {
    return new FileSlot(file.toString(), slot.path() + "/" + file, 0, Kind.FOUND, 0);
  }
}

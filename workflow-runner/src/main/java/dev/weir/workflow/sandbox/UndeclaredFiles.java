package dev.weir.workflow.sandbox;

import dev.weir.hints.Suggestion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that a command created although its task does not declare them. */
public final class UndeclaredFiles {

  private static final Logger LOG = LoggerFactory.getLogger(UndeclaredFiles.class);

  private static final int MAX_VISITED = 1_000;
  private static final int SHOWN = 5;

  private final Path work;
  private final List<String> names;

  private UndeclaredFiles(Path work, List<String> names) {
    this.work = work;
    this.names = names;
  }

  /**
   * Finds the files in a sandbox; none when it cannot be listed.
   *
   * @param declared names of the task's inputs and outputs
   */
  public static UndeclaredFiles in(Sandbox sandbox, Set<String> declared) {
    Path work = sandbox.work();
    try (Stream<Path> files = Files.walk(work)) {
      return new UndeclaredFiles(
          work,
          files
              .limit(MAX_VISITED)
              .filter(Files::isRegularFile)
              .map(file -> work.relativize(file).toString())
              .filter(name -> !declared.contains(name))
              .sorted()
              .toList());
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("Cannot list {}", work, e);
      return new UndeclaredFiles(work, List.of());
    }
  }

  /** Describes what was created in place of a missing output, as the end of a sentence. */
  public String insteadOf(String output) {
    if (names.isEmpty()) {
      return "no other file";
    }
    String likely = Suggestion.closest(output, names).orElse("");
    List<String> shown = new ArrayList<>(names);
    if (!likely.isEmpty()) {
      shown.remove(likely);
      shown.add(0, likely);
    }
    return list(shown.subList(0, Math.min(SHOWN, shown.size())))
        + (shown.size() > SHOWN ? " and " + (shown.size() - SHOWN) + " more" : "")
        + (likely.isEmpty() ? "" : " (did you mean '" + likely + "'?)");
  }

  private String list(Collection<String> files) {
    return files.stream()
        .map(name -> "'" + name + "' (" + work.resolve(name).toFile().length() + " bytes)")
        .collect(Collectors.joining(", "));
  }
}

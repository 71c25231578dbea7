package dev.weir.workflow.reuse;

import dev.weir.workflow.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the installed programs that commands name, on the node of this process. Each word of a
 * command, also within a script, that is the name of a program on the search path or an absolute
 * path of one counts. A program that such a program starts is not found. Not thread-safe.
 */
public final class InstalledTools {

  private static final Logger LOG = LoggerFactory.getLogger(InstalledTools.class);
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^A-Za-z0-9_.+/-]+");

  /** Tasks that name this many files by absolute paths do not name programs. */
  private static final int MOST_PATHS = 1_000;

  /** The directory of each name on the search path. */
  private final Map<String, Path> names = new TreeMap<>();

  private final Map<String, String> versions = new TreeMap<>();
  private int paths;

  /**
   * Reads the search path.
   *
   * @param searchPath directories, separated by colons
   */
  public InstalledTools(String searchPath) {
    List<String> directories = new ArrayList<>(Arrays.asList(searchPath.split(":")));
    directories.removeIf(directory -> !directory.startsWith("/"));
    for (String directory : directories) {
      Path path = Path.of(directory);
      try (Stream<Path> files = Files.list(path)) {
        files.forEach(file -> names.putIfAbsent(String.valueOf(file.getFileName()), path));
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} is on the search path and cannot be read", path, e);
      }
    }
  }

  /**
   * Returns the programs that tasks name.
   *
   * @return path, size and time of modification, by the word that names it
   */
  public Map<String, String> of(Collection<Task> tasks) {
    Map<String, String> found = new TreeMap<>();
    for (Task task : tasks) {
      for (String word : words(task.command())) {
        String version = versions.computeIfAbsent(word, this::version);
        if (!version.isEmpty()) {
          found.put(word, version);
        }
      }
    }
    return found;
  }

  /** Returns the words of a command that may name a program. */
  static List<String> words(List<String> command) {
    return command.stream()
        .flatMap(BETWEEN_WORDS::splitAsStream)
        .filter(word -> !word.isEmpty() && word.charAt(0) != '-')
        .toList();
  }

  private String version(String word) {
    Path directory = names.get(word);
    if (directory != null) {
      return version(directory.resolve(word));
    }
    if (word.charAt(0) == '/' && paths < MOST_PATHS) {
      paths++;
      return version(Path.of(word));
    }
    return "";
  }

  private static String version(Path file) {
    try {
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        Path real = file.toRealPath();
        return real + " " + Files.size(real) + " " + Files.getLastModifiedTime(real).toMillis();
      }
    } catch (IOException e) {
      LOG.debug("Cannot read {}; the program counts as not installed", file, e);
    }
    return "";
  }
}

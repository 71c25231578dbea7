package dev.weir.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The simple name of a main class is unique in the project. */
class SimpleNamesTest {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final String JAVA = ".java";

  @Test
  void noSimpleNameOfAMainClassOccursTwice() throws IOException {
    Map<String, List<Path>> classes = classesByName();
    assertThat(classes).containsKeys("HintSet.java", "LocalCluster.java");
    classes.values().removeIf(places -> places.size() == 1);
    assertThat(classes).isEmpty();
  }

  private static Map<String, List<Path>> classesByName() throws IOException {
    Map<String, List<Path>> classes = new TreeMap<>();
    try (Stream<Path> modules = Files.list(PROJECT)) {
      for (Path sources : modules.map(module -> module.resolve(MAIN)).toList()) {
        if (Files.isDirectory(sources)) {
          collect(sources, classes);
        }
      }
    }
    return classes;
  }

  private static void collect(Path sources, Map<String, List<Path>> classes) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .filter(file -> isClass(file.getFileName().toString()))
          .forEach(
              file ->
                  classes
                      .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
                      .add(PROJECT.relativize(file)));
    }
  }

  private static boolean isClass(String file) {
    return file.endsWith(JAVA) && !file.equals("package-info.java");
  }
}

package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files that are not part of the project. Tests of them run only where the files are. */
public final class GivenFiles {

  private GivenFiles() {}

  /**
   * The files of a directory that a system property names. The test that asks is skipped where the
   * property is not set, and fails where the directory has no such file: the test was requested.
   *
   * @param property its value is the directory
   * @param ending how the names of the files end
   * @return at least one file, in the order of the names
   * @throws IOException when the directory cannot be read
   */
  public static List<Path> of(String property, String ending) throws IOException {
    String directory = System.getProperty(property);
    assumeThat(directory).as("-D%s=DIR", property).isNotNull();
    try (Stream<Path> all = Files.list(Path.of(String.valueOf(directory)))) {
      List<Path> found = all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      assertThat(found).as("files *%s in %s", ending, directory).isNotEmpty();
      return found;
    }
  }
}

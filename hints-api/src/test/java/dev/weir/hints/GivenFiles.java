package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files outside the project. Tests that need them run only where a system property names them. */
public final class GivenFiles {

  private GivenFiles() {}

  /**
   * The files of a directory that a system property names. Skips the test if the property is not
   * set. Fails if the directory has no such file, because the property requests the test.
   *
   * @param property its value is the directory
   * @param ending the suffix of the file names
   * @return at least one file, in the order of the names
   * @throws IOException if the directory cannot be read
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

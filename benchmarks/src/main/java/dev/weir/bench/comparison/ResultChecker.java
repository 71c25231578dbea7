package dev.weir.bench.comparison;

import dev.weir.bench.series.WrongResultException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * Compares the results of a subject's runs. The results of the first run are the reference. Those
 * of other runs are deleted if they are equal. Not thread-safe.
 */
final class ResultChecker {
  private final Subject subject;
  private final Path reference;
  private @Nullable String first;

  /**
   * Creates a checker of a subject.
   *
   * @param directory of its records
   * @param resumed whether results of earlier runs may exist
   */
  ResultChecker(Subject subject, Path directory, boolean resumed) {
    this.subject = subject;
    this.reference = directory.resolve("results");
    this.first = resumed && Files.isDirectory(reference) ? "an earlier session" : null;
  }

  /** Returns the directory for the results of a run. */
  Path of(String label) {
    return reference.resolveSibling(label);
  }

  /**
   * Compares the results of a run with those of the first one.
   *
   * @throws WrongResultException if a file differs; both remain, and the message names them
   * @throws IOException if a file cannot be read
   */
  void check(String label) throws IOException {
    Path directory = of(label);
    if (subject.results().ids().isEmpty()) {
      return;
    }
    if (first == null) {
      first = label;
      FileUtils.deleteDirectory(reference.toFile());
      Files.move(directory, reference, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    for (String id : subject.results().ids()) {
      Path expected = reference.resolve(id);
      Path actual = directory.resolve(id);
      Optional<String> difference = subject.results().check().difference(expected, actual);
      if (difference.isPresent()) {
        throw new WrongResultException(
            actual
                + " differs from "
                + expected
                + ", which "
                + first
                + " has written: "
                + difference.get());
      }
    }
    FileUtils.deleteDirectory(directory.toFile());
  }
}

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
 * The results of the runs of a subject: those of the first are kept, those of the others compared
 * with them and thrown away. Not for several threads at once.
 */
final class ResultChecker {
  private final Subject subject;
  private final Path kept;
  private @Nullable String first;

  /**
   * Of a subject.
   *
   * @param directory of its records
   * @param resumed whether there may be results of runs that were made before
   */
  ResultChecker(Subject subject, Path directory, boolean resumed) {
    this.subject = subject;
    this.kept = directory.resolve("results");
    this.first = resumed && Files.isDirectory(kept) ? "an earlier session" : null;
  }

  /** Where the results of a run go. */
  Path of(String label) {
    return kept.resolveSibling(label);
  }

  /**
   * Compares what a run has left with what the first one left.
   *
   * @throws WrongResultException when a file differs; both are kept then, and the message names
   *     them
   * @throws IOException when one cannot be read
   */
  void check(String label) throws IOException {
    Path directory = of(label);
    if (subject.results().ids().isEmpty()) {
      return;
    }
    if (first == null) {
      first = label;
      FileUtils.deleteDirectory(kept.toFile());
      Files.move(directory, kept, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    for (String id : subject.results().ids()) {
      Path expected = kept.resolve(id);
      Path actual = directory.resolve(id);
      Optional<String> difference = subject.results().check().difference(expected, actual);
      if (difference.isPresent()) {
        throw new WrongResultException(
            actual
                + " differs from "
                + expected
                + ", which "
                + first
                + " has made: "
                + difference.get());
      }
    }
    FileUtils.deleteDirectory(directory.toFile());
  }
}

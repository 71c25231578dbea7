package dev.weir.bench.blast;

import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.WrongResultException;
import dev.weir.montage.SequentialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * What runs start from and must come to.
 *
 * @param directory local, with database and queries
 * @param reference local directory with what a sequential run found
 * @param sandboxes a directory for that run
 */
record BlastInputs(Path directory, Path reference, Path sandboxes) {
  /** Those of a series. */
  static BlastInputs below(Path out) {
    return new BlastInputs(
        out.resolve("blast-inputs"),
        out.resolve("blast-sequential"),
        out.resolve("blast-sandboxes"));
  }

  /** Whether their directories are there; what is in these may not be whole. */
  boolean exist() {
    return Files.isDirectory(directory) && Files.isDirectory(reference);
  }

  /**
   * Makes them anew.
   *
   * @param processes among how many the queries are shared
   * @param path where the programs are found
   * @return how many seconds the sequential run took
   * @throws IOException when a program fails
   */
  double make(NucleotideSpec database, int processes, String path)
      throws IOException, InterruptedException {
    for (Path old : new Path[] {directory, reference, sandboxes}) {
      FileUtils.deleteDirectory(old.toFile());
    }
    Files.createDirectories(directory);
    Files.createDirectories(reference);
    BlastWorkflow.makeInputs(database, processes, directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(reference.resolve(file.getFileName()), file.toAbsolutePath());
      }
    }
    StepTimer laps = StepTimer.begin();
    new SequentialRun(reference, sandboxes, Map.of("PATH", path))
        .run(BlastWorkflow.of(directory, processes, ""), task -> {});
    double seconds = laps.next();
    FileUtils.deleteDirectory(sandboxes.toFile());
    return seconds;
  }

  /**
   * Compares what a run has found.
   *
   * @throws WrongResultException when it is something else; the message names the file
   * @throws IOException when a file cannot be read
   */
  void requireSame(Path results, int processes) throws IOException {
    for (int i = 0; i < processes; i++) {
      String hits = BlastWorkflow.hits(i);
      long place = Files.mismatch(reference.resolve(hits), results.resolve(hits));
      if (place >= 0) {
        throw new WrongResultException(
            results.resolve(hits)
                + " differs from what a sequential run found, "
                + reference.resolve(hits)
                + ", from byte "
                + place
                + " on");
      }
    }
  }
}

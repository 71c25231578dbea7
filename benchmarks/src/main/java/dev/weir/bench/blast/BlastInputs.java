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
 * The inputs of the runs and the expected results.
 *
 * @param directory local, with database and queries
 * @param reference local directory with the results of a sequential run
 * @param sandboxes a directory for that run
 */
record BlastInputs(Path directory, Path reference, Path sandboxes) {
  /** Returns the inputs of a series. */
  static BlastInputs below(Path out) {
    return new BlastInputs(
        out.resolve("blast-inputs"),
        out.resolve("blast-sequential"),
        out.resolve("blast-sandboxes"));
  }

  /** Returns whether the directories exist; their contents may be incomplete. */
  boolean exist() {
    return Files.isDirectory(directory) && Files.isDirectory(reference);
  }

  /**
   * Creates the inputs.
   *
   * @param processes the number of processes that share the queries
   * @param path the path of the programs
   * @return the duration of the sequential run in seconds
   * @throws IOException if a program fails
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
    StepTimer timer = StepTimer.begin();
    new SequentialRun(reference, sandboxes, Map.of("PATH", path))
        .run(BlastWorkflow.of(directory, processes, ""), task -> {});
    double seconds = timer.next();
    FileUtils.deleteDirectory(sandboxes.toFile());
    return seconds;
  }

  /**
   * Compares the results of a run with the expected ones.
   *
   * @throws WrongResultException if they differ; the message names the file
   * @throws IOException if a file cannot be read
   */
  void requireSame(Path results, int processes) throws IOException {
    for (int i = 0; i < processes; i++) {
      String hits = BlastWorkflow.hits(i);
      long position = Files.mismatch(reference.resolve(hits), results.resolve(hits));
      if (position >= 0) {
        throw new WrongResultException(
            results.resolve(hits)
                + " differs from the result of a sequential run, "
                + reference.resolve(hits)
                + ", from byte "
                + position
                + " on");
      }
    }
  }
}

package dev.weir.cli.demo;

import dev.weir.montage.MontageWorkflow;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the demo leaves in its directory.
 *
 * @param out the directory
 */
record DemoFiles(Path out) {

  /** The tiles and the tables that the workflow starts from. */
  Path survey() {
    return out.resolve("survey");
  }

  Path workflow() {
    return out.resolve("montage.json");
  }

  /** The mosaic that was made without Hadoop. */
  Path sequentialMosaic() {
    return out.resolve("sequential").resolve(MontageWorkflow.MOSAIC);
  }

  Path mosaic(Mode mode) {
    return out.resolve(mode.label()).resolve(MontageWorkflow.MOSAIC);
  }

  Path record(Mode mode) {
    return out.resolve(mode.label()).resolve("run.json");
  }

  Path picture() {
    return out.resolve(MontageWorkflow.PICTURE);
  }

  Path summary() {
    return out.resolve("summary.json");
  }

  Path report() {
    return out.resolve("report.html");
  }

  /**
   * Makes the directories and takes away what an earlier demo has left under these names, so that
   * no old result can pass for a new one.
   */
  void prepare() throws IOException {
    deleteTree(survey());
    for (Mode mode : Mode.values()) {
      deleteTree(out.resolve(mode.label()));
    }
    deleteTree(out.resolve("sequential"));
    for (Path file : List.of(workflow(), picture(), summary(), report())) {
      Files.deleteIfExists(file);
    }
    Files.createDirectories(survey());
    Files.createDirectories(out.resolve("sequential"));
  }

  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}

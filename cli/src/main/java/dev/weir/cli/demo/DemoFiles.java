package dev.weir.cli.demo;

import dev.weir.montage.MontageWorkflow;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;

/** The files in the directory of the demo. */
record DemoFiles(Path out) {

  /** Returns the directory of the workflow's inputs: tiles and tables. */
  Path survey() {
    return out.resolve("survey");
  }

  Path workflow() {
    return out.resolve("montage.json");
  }

  /** Returns the mosaic that was made without Hadoop. */
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
   * Creates the directories and deletes results of an earlier demo, so that an old result is not
   * taken for a new one.
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
    if (!FileUtil.fullyDelete(root.toFile())) {
      throw new IOException("Cannot delete all of " + root);
    }
  }
}

package dev.weir.workflow.infer;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The graph of a Montage mosaic of a square of tiles, each overlapping its eight neighbours. */
final class MontageGraph {

  static final long TILE = 640_000;
  static final long PROJECTED = 1_500_000;

  private final int side;
  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<String> projected = new ArrayList<>();
  private final List<String> corrected = new ArrayList<>();
  private final List<String> correctedAreas = new ArrayList<>();
  private final List<String> fits = new ArrayList<>();

  private MontageGraph(int side) {
    this.side = side;
  }

  static Workflow of(int side) {
    MontageGraph montage = new MontageGraph(side);
    montage.build();
    return new Workflow("montage", montage.tasks, montage.files);
  }

  private void build() {
    file("region.hdr", 300);
    for (int i = 0; i < side * side; i++) {
      projected.add(file("p_" + i + ".fits", PROJECTED));
      task(
          "mProject-" + i,
          List.of(file("tile_" + i + ".fits", TILE), "region.hdr"),
          List.of(projected.get(i), file("p_" + i + "_area.fits", PROJECTED)));
    }
    task("mImgtbl-1", projected, List.of(file("images.tbl", 4_000)));
    task("mOverlaps-1", List.of("images.tbl"), List.of(file("diffs.tbl", 9_000)));
    for (int i = 0; i < side * side; i++) {
      for (int j = i + 1; j < side * side; j++) {
        if (Math.abs(i / side - j / side) <= 1 && Math.abs(i % side - j % side) <= 1) {
          diff(i, j);
        }
      }
    }
    List<String> concat = new ArrayList<>(fits);
    concat.add("diffs.tbl");
    task("mConcatFit-1", concat, List.of(file("fits.tbl", 8_000)));
    task("mBgModel-1", List.of("images.tbl", "fits.tbl"), List.of(file("corrections.tbl", 1_000)));
    for (int i = 0; i < side * side; i++) {
      background(i);
    }
    mosaic();
  }

  private void diff(int i, int j) {
    String fit = file("fit_" + i + "_" + j + ".txt", 265);
    fits.add(fit);
    task(
        "mDiffFit-" + i + "-" + j,
        List.of(
            "p_" + i + ".fits",
            "p_" + i + "_area.fits",
            "p_" + j + ".fits",
            "p_" + j + "_area.fits",
            "region.hdr"),
        List.of(fit));
  }

  private void background(int i) {
    corrected.add(file("c_" + i + ".fits", PROJECTED));
    correctedAreas.add(file("c_" + i + "_area.fits", PROJECTED));
    task(
        "mBackground-" + i,
        List.of("p_" + i + ".fits", "p_" + i + "_area.fits", "images.tbl", "corrections.tbl"),
        List.of(corrected.get(i), correctedAreas.get(i)));
  }

  private void mosaic() {
    task("mImgtbl-2", corrected, List.of(file("corrected.tbl", 4_000)));
    List<String> all = new ArrayList<>(corrected);
    all.addAll(correctedAreas);
    all.add("corrected.tbl");
    all.add("region.hdr");
    long size = (long) side * side * PROJECTED;
    task("mAdd-1", all, List.of(file("mosaic.fits", size), file("mosaic_area.fits", size)));
    task("mViewer-1", List.of("mosaic.fits"), List.of(file("mosaic.png", size / 20)));
  }

  private String file(String id, long size) {
    files.put(id, new DataFile(id, size));
    return id;
  }

  private void task(String id, List<String> inputs, List<String> outputs) {
    String type = id.substring(0, id.indexOf('-'));
    tasks.add(new Task(id, type, List.of(type), inputs, outputs, 1));
  }
}

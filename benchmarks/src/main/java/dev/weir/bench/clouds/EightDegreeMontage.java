package dev.weir.bench.clouds;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Montage workflow of 8 degrees: 10,429 tasks, 6,173 inputs of mConcatFit, about 23,000 files.
 * Numbers of tasks, and means of seconds and bytes by type, are those that Juve et al. published
 * (Characterizing and Profiling Scientific Workflows, 2013).
 *
 * <p>Not published is which images overlap. Here they form a square grid, each overlaps its
 * neighbours, and a tile of the mosaic adds the images of its part of the grid and of the next row.
 *
 * <p>A share N has 1 in N of the images and overlaps. The mosaic keeps its 16 tiles; their sizes
 * and seconds, and those of the tasks that read files of all images, are divided.
 */
final class EightDegreeMontage {
  private static final int IMAGES = 2102;
  private static final int OVERLAPS = 6172;

  /** Rows and columns of tiles. */
  private static final int TILE_ROWS = 4;

  private static final long IMAGE_BYTES = 2_050_000;

  /** A projected or corrected image, or its areas. */
  private static final long PROJECTED_BYTES = 4_045_000;

  private static final long FIT_BYTES = 316;
  private static final long DIFFERENCE_BYTES = 640_000;

  /** A tile of the mosaic, or its areas. */
  private static final long TILE_BYTES = 411_500_000;

  private static final String LIST = "statfile.tbl";
  private static final String IMAGE_TABLE = "images.tbl";
  private static final String FITS = "fits.tbl";
  private static final String CORRECTIONS = "corrections.tbl";

  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final int share;
  private final int images;
  private final int side;

  private EightDegreeMontage(int share) {
    this.share = share;
    this.images = Math.round((float) IMAGES / share);
    this.side = (int) Math.ceil(Math.sqrt(images));
  }

  /**
   * Returns a share of the workflow.
   *
   * @param share 1 for all of it, 8 for an eighth
   */
  static Workflow share(int share) {
    EightDegreeMontage montage = new EightDegreeMontage(share);
    montage.project();
    montage.model(montage.fit());
    montage.correct();
    montage.assemble();
    return new Workflow("montage-8-degrees", montage.tasks, montage.files);
  }

  /**
   * Returns the whole workflow's mConcatFit and the tasks that write its 6,173 inputs. Each of
   * these tasks writes the fits of many overlaps, as the jobs of clustered tasks do. No task
   * computes.
   *
   * @param writers number of the tasks that write fits
   */
  static Workflow concatenation(int writers) {
    EightDegreeMontage montage = new EightDegreeMontage(1);
    List<String> inputs = new ArrayList<>(List.of(montage.file(LIST, FIT_BYTES)));
    for (int writer = 0; writer < writers; writer++) {
      List<String> own = new ArrayList<>();
      for (int i = writer; i < OVERLAPS; i += writers) {
        own.add(montage.file("fit." + i, FIT_BYTES));
      }
      montage.task("mDiffFit", List.of(), own, 0);
      inputs.addAll(own);
    }
    montage.task("mConcatFit", inputs, List.of(montage.file(FITS, 1_220_000)), 0);
    return new Workflow("mConcatFit", montage.tasks, montage.files);
  }

  private void project() {
    for (int i = 0; i < images; i++) {
      String raw = file("raw." + i, IMAGE_BYTES);
      task("mProjectPP", List.of(raw), image("projected", i), 1.73);
    }
  }

  /** Returns the files of the planes that were fitted. */
  private List<String> fit() {
    List<String> fits = new ArrayList<>();
    for (int[] pair : overlaps()) {
      List<String> inputs = new ArrayList<>(image("projected", pair[0]));
      inputs.addAll(image("projected", pair[1]));
      String name = pair[0] + "." + pair[1];
      String fit = file("fit." + name, FIT_BYTES);
      task("mDiffFit", inputs, List.of(fit, scratch("difference." + name, DIFFERENCE_BYTES)), 0.66);
      fits.add(fit);
    }
    return fits;
  }

  /** Returns pairs of neighbours: first those in a row or column, then diagonal ones. */
  private List<int[]> overlaps() {
    int[][] offsets = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    List<int[]> pairs = new ArrayList<>();
    for (int[] offset : offsets) {
      for (int i = 0; i < images; i++) {
        int column = i % side + offset[1];
        int other = i + offset[0] * side + offset[1];
        if (column >= 0 && column < side && other < images) {
          pairs.add(new int[] {i, other});
        }
      }
    }
    return pairs.subList(0, Math.min(pairs.size(), Math.round((float) OVERLAPS / share)));
  }

  private void model(List<String> fits) {
    List<String> inputs = new ArrayList<>(List.of(file(LIST, FIT_BYTES)));
    inputs.addAll(fits);
    task("mConcatFit", inputs, List.of(file(FITS, 1_220_000 / share)), 143.26 / share);
    String table = file(IMAGE_TABLE, 340_000 / share);
    String corrections = file(CORRECTIONS, 100_000 / share);
    task("mBgModel", List.of(FITS, table), List.of(corrections), 384.49 / share);
  }

  private void correct() {
    for (int i = 0; i < images; i++) {
      List<String> inputs = new ArrayList<>(image("projected", i));
      inputs.add(CORRECTIONS);
      task("mBackground", inputs, image("corrected", i), 1.72);
    }
  }

  private void assemble() {
    List<String> shrunken = new ArrayList<>();
    for (int tile = 0; tile < TILE_ROWS * TILE_ROWS; tile++) {
      String name = "tile." + tile;
      List<String> mosaic = add(name, imagesOf(tile), TILE_BYTES / share);
      String small = file("shrunken." + tile, 490_000 / share);
      task("mShrink", List.of(mosaic.get(0)), List.of(small), 66.1 / share);
      shrunken.add(small);
    }
    String table = table("mosaic", shrunken);
    List<String> mosaic = both("mosaic", 25_330_000L / share);
    List<String> inputs = new ArrayList<>(shrunken);
    inputs.add(table);
    task("mAdd", inputs, mosaic, 282.37 / share);
    task("mJPEG", List.of(mosaic.get(0)), List.of(file("jpeg", 390_000 / share)), 0.64 / share);
  }

  private List<String> add(String name, List<Integer> covered, long bytes) {
    List<String> corrected = covered.stream().map(i -> image("corrected", i).get(0)).toList();
    List<String> inputs = new ArrayList<>();
    covered.forEach(i -> inputs.addAll(image("corrected", i)));
    inputs.add(table(name, corrected));
    List<String> mosaic = both(name, bytes);
    task("mAdd", inputs, mosaic, 282.37 / share);
    return mosaic;
  }

  private String table(String name, List<String> of) {
    String table = file(name + ".tbl", 120_000 / share);
    task("mImgtbl", of, List.of(table), 2.78 / share);
    return table;
  }

  private List<Integer> imagesOf(int tile) {
    int row = tile / TILE_ROWS;
    int column = tile % TILE_ROWS;
    List<Integer> covered = new ArrayList<>();
    for (int i = 0; i < images; i++) {
      int x = i % side;
      int y = i / side;
      if (y >= row * side / TILE_ROWS
          && y <= (row + 1) * side / TILE_ROWS
          && x >= column * side / TILE_ROWS
          && x < (column + 1) * side / TILE_ROWS) {
        covered.add(i);
      }
    }
    return covered;
  }

  private List<String> image(String kind, int i) {
    return both(kind + "." + i, PROJECTED_BYTES);
  }

  /** Returns an image and its areas. */
  private List<String> both(String name, long bytes) {
    return List.of(file(name, bytes), file(name + ".area", bytes));
  }

  private String file(String name, long bytes) {
    files.putIfAbsent(name, new DataFile(name, bytes));
    return name;
  }

  /** A file that no task reads, and that is no result. */
  private String scratch(String name, long bytes) {
    files.put(name, new DataFile(name, bytes, "temporary"));
    return name;
  }

  private void task(String type, List<String> inputs, List<String> outputs, double seconds) {
    tasks.add(new Task(type + "-" + tasks.size(), type, List.of(), inputs, outputs, seconds));
  }
}

package dev.weir.bench.griddb;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The two workflows of GridDB's evaluation. Their shapes are published: an image is split into 16
 * pieces, in each of which objects are searched; or the work on an image is decomposed into tasks
 * that each find 788 to 876 files (links) in their directory. Run times, sizes and the number of
 * tasks of the second workflow are ours.
 *
 * @param images the number of images
 * @param speedUp run times are divided by this
 */
record GridDbWorkflow(Shape shape, int images, double speedUp) {

  /** The shape of a workflow. */
  enum Shape {
    PIECES,
    DECOMPOSED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final int PIECES = 16;
  private static final int FEWEST_LINKS = 788;
  private static final int STEPS = 5;

  /** Each step adds these to the links of all later ones: 876 at the last. */
  private static final int FILES_PER_STEP = 22;

  private static final double SPLIT_SECONDS = 20;
  private static final double SEARCH_SECONDS = 120;
  private static final double STEP_SECONDS = (SPLIT_SECONDS + PIECES * SEARCH_SECONDS) / STEPS;

  /** Run times deviate from their mean by at most this share, as those of unlike images do. */
  private static final double DEVIATION = 0.1;

  private static final long IMAGE_BYTES = 128L << 20;
  private static final long OBJECTS_BYTES = 1L << 20;
  private static final long SETTINGS_BYTES = 10L << 10;
  private static final long SEED = 1;

  /** Validates. */
  GridDbWorkflow {
    if (images < 1 || !(speedUp > 0) || Double.isInfinite(speedUp)) {
      throw new IllegalArgumentException(
          "Give --images of 1 or more and a --speed-up above 0: " + images + ", " + speedUp);
    }
  }

  /** Builds the workflow; each call returns the same one. */
  Workflow build() {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    Random random = new Random(SEED);
    for (int image = 0; image < images; image++) {
      tasks.addAll(shape == Shape.PIECES ? pieces(image, random) : decomposed(image, random));
    }
    for (Task task : tasks) {
      Stream.concat(task.inputs().stream(), task.outputs().stream())
          .forEach(file -> files.computeIfAbsent(file, id -> new DataFile(id, bytes(id))));
    }
    return new Workflow("griddb-" + shape.label(), tasks, files);
  }

  private List<Task> pieces(int image, Random random) {
    String directory = directory(image);
    List<String> pieces = names(directory + "piece-", PIECES);
    List<Task> tasks = new ArrayList<>();
    tasks.add(
        task("split", image, List.of(directory + "image"), pieces, time(SPLIT_SECONDS, random)));
    for (String piece : pieces) {
      String objects = piece.replace("piece-", "objects-");
      double seconds = time(SEARCH_SECONDS, random);
      tasks.add(task("search-" + tasks.size(), image, List.of(piece), List.of(objects), seconds));
    }
    return tasks;
  }

  private List<Task> decomposed(int image, Random random) {
    String directory = directory(image);
    List<String> links = new ArrayList<>(names("settings/", FEWEST_LINKS - 1));
    links.add(directory + "image");
    List<Task> tasks = new ArrayList<>();
    for (int step = 1; step <= STEPS; step++) {
      List<String> outputs = names(directory + "objects-" + step + "-", FILES_PER_STEP);
      tasks.add(task("step-" + step, image, links, outputs, time(STEP_SECONDS, random)));
      links.addAll(outputs);
    }
    return tasks;
  }

  private double time(double seconds, Random random) {
    return seconds * (1 + DEVIATION * (2 * random.nextDouble() - 1)) / speedUp;
  }

  private static Task task(
      String type, int image, List<String> inputs, List<String> outputs, double seconds) {
    String kind = type.startsWith("search") ? "search" : type;
    return new Task(type + "-" + image, kind, List.of(type), inputs, outputs, seconds);
  }

  private static String directory(int image) {
    return "images/" + image + "/";
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  private static long bytes(String file) {
    if (file.endsWith("/image")) {
      return IMAGE_BYTES;
    } else if (file.contains("/piece-")) {
      return IMAGE_BYTES / PIECES;
    }
    return file.startsWith("settings/") ? SETTINGS_BYTES : OBJECTS_BYTES;
  }
}

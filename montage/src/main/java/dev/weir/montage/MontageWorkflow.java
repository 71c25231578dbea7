package dev.weir.montage;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workflow that makes one mosaic of a survey with background matching: every tile is projected,
 * every overlap fitted, one model of all backgrounds made, every tile corrected, all of them added
 * and the sum drawn.
 *
 * <p>Each task declares exactly the files that its program opens. mDiffFit also writes the
 * difference image and its coverage; nothing reads them once the plane is fitted, so they stay in
 * the sandbox. The files are named flatly because mImgtbl, mBackground and mAdd match images by
 * their bare names.
 */
public final class MontageWorkflow {

  public static final String MOSAIC = "mosaic.fits";

  /** The mosaic as a picture. */
  public static final String PICTURE = "mosaic.png";

  private static final String PROJECTED_TABLE = "projected.tbl";
  private static final String OVERLAPS_TABLE = "diffs.tbl";
  private static final String FITS_TABLE = "fits.tbl";
  private static final String CORRECTIONS_TABLE = "corrections.tbl";
  private static final String CORRECTED_TABLE = "corrected.tbl";

  /**
   * Turns mOverlaps' table into the list that mConcatFit takes. mConcatFit passes over a fit that
   * is missing; here a pair that was not fitted, or fitted and not found, fails the task instead.
   */
  private static final String CONCAT_SCRIPT =
      """
      awk -v fitted="$1" '
        BEGIN { print "| cntr1 | cntr2 | stat                 |" }
        /^[|\\\\]/ { next }
        {
          fit = sprintf("fit.%d.%d.txt", $1, $2)
          if ((getline line < fit) <= 0) {
            print "diffs.tbl: tiles " $1 " and " $2 " overlap, but there is no " fit > "/dev/stderr"
            bad = 1
          }
          close(fit)
          printf " %7d %7d  %s\\n", $1, $2, fit
          found++
        }
        END {
          if (found != fitted) {
            print "diffs.tbl: " found " overlaps, but " fitted " were fitted" > "/dev/stderr"
            bad = 1
          }
          exit bad
        }
      ' diffs.tbl > stats.tbl && mConcatFit stats.tbl fits.tbl .
      """;

  private final Survey survey;
  private final List<PixelBox> footprints;
  private final List<TilePair> pairs;
  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<Task> tasks = new ArrayList<>();

  private MontageWorkflow(Survey survey) {
    this.survey = survey;
    this.footprints = survey.footprints();
    this.pairs = survey.overlaps();
  }

  /** The workflow for a survey; {@link SurveyFiles} writes the files that it starts from. */
  public static Workflow of(Survey survey) {
    MontageWorkflow builder = new MontageWorkflow(survey);
    builder.declareInputs();
    builder.project();
    builder.fitOverlaps();
    builder.modelBackgrounds();
    builder.correct();
    builder.assemble();
    return new Workflow(
        "montage-" + survey.tiles().size() + "-tiles", builder.tasks, builder.files);
  }

  private void declareInputs() {
    declare(SurveyFiles.REGION, SurveyFiles.region(survey));
    declare(SurveyFiles.PROJECTED_LIST, SurveyFiles.projectedList(survey));
    declare(SurveyFiles.CORRECTED_LIST, SurveyFiles.correctedList(survey));
    for (Tile tile : survey.tiles()) {
      TanImage image = tile.image();
      declare(tile.fileName(), FileSizes.image(image.width(), image.height(), Float.BYTES));
    }
  }

  private void project() {
    for (int i = 0; i < footprints.size(); i++) {
      Tile tile = survey.tiles().get(i);
      String output = tile.projected();
      declareImage(output, FileSizes.montageImage(footprints.get(i)));
      add(
          "mProject_" + tile.name(),
          List.of("mProject", tile.fileName(), output, SurveyFiles.REGION),
          List.of(tile.fileName(), SurveyFiles.REGION),
          List.of(output, Tile.areaOf(output)),
          1.3e-5 * tile.image().width() * tile.image().height());
    }
    tabulate("projected", SurveyFiles.PROJECTED_LIST, PROJECTED_TABLE, projected());
  }

  private void fitOverlaps() {
    declare(OVERLAPS_TABLE, FileSizes.overlapTable(pairs.size()));
    add(
        "mOverlaps",
        List.of("mOverlaps", PROJECTED_TABLE, OVERLAPS_TABLE),
        List.of(PROJECTED_TABLE),
        List.of(OVERLAPS_TABLE),
        0.01);
    for (TilePair pair : pairs) {
      String first = survey.tiles().get(pair.first()).projected();
      String second = survey.tiles().get(pair.second()).projected();
      declare(pair.fit(), FileSizes.fit());
      add(
          String.format("mDiffFit_%04d_%04d", pair.first(), pair.second()),
          List.of(
              "mDiffFit", "-s", pair.fit(), first, second, pair.difference(), SurveyFiles.REGION),
          List.of(first, Tile.areaOf(first), second, Tile.areaOf(second), SurveyFiles.REGION),
          List.of(pair.fit()),
          0.03);
    }
  }

  private void modelBackgrounds() {
    List<String> inputs = new ArrayList<>(List.of(OVERLAPS_TABLE));
    pairs.forEach(pair -> inputs.add(pair.fit()));
    declare(FITS_TABLE, FileSizes.fitTable(pairs.size()));
    add(
        "mConcatFit_all",
        List.of("sh", "-c", CONCAT_SCRIPT, "mConcatFit", Integer.toString(pairs.size())),
        inputs,
        List.of(FITS_TABLE),
        0.02);
    declare(CORRECTIONS_TABLE, FileSizes.corrections(survey.tiles().size()));
    add(
        "mBgModel",
        List.of("mBgModel", PROJECTED_TABLE, FITS_TABLE, CORRECTIONS_TABLE),
        List.of(PROJECTED_TABLE, FITS_TABLE),
        List.of(CORRECTIONS_TABLE),
        0.05);
  }

  private void correct() {
    for (int i = 0; i < footprints.size(); i++) {
      Tile tile = survey.tiles().get(i);
      String input = tile.projected();
      String output = tile.corrected();
      declareImage(output, FileSizes.montageImage(footprints.get(i)));
      add(
          "mBackground_" + tile.name(),
          List.of("mBackground", "-t", input, output, PROJECTED_TABLE, CORRECTIONS_TABLE),
          List.of(input, Tile.areaOf(input), PROJECTED_TABLE, CORRECTIONS_TABLE),
          List.of(output, Tile.areaOf(output)),
          0.03);
    }
    tabulate("corrected", SurveyFiles.CORRECTED_LIST, CORRECTED_TABLE, corrected());
  }

  private void assemble() {
    List<String> inputs = new ArrayList<>(List.of(CORRECTED_TABLE, SurveyFiles.REGION));
    for (String image : corrected()) {
      inputs.add(image);
      inputs.add(Tile.areaOf(image));
    }
    TanImage region = survey.region();
    declareImage(MOSAIC, FileSizes.image(region.width(), region.height(), Double.BYTES));
    add(
        "mAdd",
        List.of("mAdd", "-e", CORRECTED_TABLE, SurveyFiles.REGION, MOSAIC),
        inputs,
        List.of(MOSAIC, Tile.areaOf(MOSAIC)),
        0.02 * survey.tiles().size());
    declare(PICTURE, FileSizes.picture(region));
    add(
        "mViewer",
        List.of(
            "mViewer", "-ct", "0", "-gray", MOSAIC, "-1s", "max", "gaussian-log", "-out", PICTURE),
        List.of(MOSAIC),
        List.of(PICTURE),
        3e-7 * region.width() * region.height());
  }

  private void tabulate(String name, String list, String table, List<String> images) {
    List<String> inputs = new ArrayList<>(List.of(list));
    inputs.addAll(images);
    declare(table, FileSizes.imageTable(images.size()));
    add(
        "mImgtbl_" + name,
        List.of("mImgtbl", "-t", list, ".", table),
        inputs,
        List.of(table),
        0.01);
  }

  private List<String> projected() {
    return survey.tiles().stream().map(Tile::projected).toList();
  }

  private List<String> corrected() {
    return survey.tiles().stream().map(Tile::corrected).toList();
  }

  private void add(
      String id, List<String> command, List<String> inputs, List<String> outputs, double seconds) {
    int end = id.indexOf('_');
    String type = end < 0 ? id : id.substring(0, end);
    tasks.add(new Task(id, type, command, inputs, outputs, seconds));
  }

  private void declare(String file, String content) {
    declare(file, content.getBytes(StandardCharsets.UTF_8).length);
  }

  private void declareImage(String file, long size) {
    declare(file, size);
    declare(Tile.areaOf(file), size);
  }

  private void declare(String file, long size) {
    files.put(file, new DataFile(file, size));
  }
}

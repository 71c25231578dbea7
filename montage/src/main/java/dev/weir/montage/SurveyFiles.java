package dev.weir.montage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The files that the Montage workflow starts from. */
public final class SurveyFiles {

  /** The header template of the mosaic. */
  static final String REGION = "region.hdr";

  /** Which projected images there are, in the order of their numbers. */
  static final String PROJECTED_LIST = "projected.lst";

  /** Which corrected images there are, in the same order. */
  static final String CORRECTED_LIST = "corrected.lst";

  private SurveyFiles() {}

  /**
   * Draws the survey's tiles and writes the tables beside them.
   *
   * @param directory is made if need be
   */
  public static void write(Survey survey, Path directory) throws IOException {
    Files.createDirectories(directory);
    TileWriter tiles = new TileWriter(survey.stars());
    for (Tile tile : survey.tiles()) {
      tiles.write(tile, directory);
    }
    Files.writeString(directory.resolve(REGION), region(survey), StandardCharsets.UTF_8);
    Files.writeString(
        directory.resolve(PROJECTED_LIST), projectedList(survey), StandardCharsets.UTF_8);
    Files.writeString(
        directory.resolve(CORRECTED_LIST), correctedList(survey), StandardCharsets.UTF_8);
  }

  static String region(Survey survey) {
    return FitsKeywords.template(survey.region());
  }

  static String projectedList(Survey survey) {
    return imageList(survey.tiles(), Tile::projected);
  }

  static String correctedList(Survey survey) {
    return imageList(survey.tiles(), Tile::corrected);
  }

  /**
   * A list for mImgtbl -t. Without one mImgtbl numbers the images as the file system happens to
   * list them, and the numbers name the fits of the overlaps.
   */
  private static String imageList(List<Tile> tiles, Function<Tile, String> name) {
    int width = tiles.stream().map(name).mapToInt(String::length).max().orElse(0) + 1;
    StringBuilder text = new StringBuilder();
    text.append('|').append(padded("fname", width)).append("|\n");
    text.append('|').append(padded("char", width)).append("|\n");
    for (Tile tile : tiles) {
      text.append(' ').append(padded(name.apply(tile), width)).append('\n');
    }
    return text.toString();
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}

package dev.weir.bench.patterns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table and the image of each stored series, in the docs. */
final class SeriesFigures {
  private static final String ENDING = ".csv";

  /** A block may not contain the begin of another one, whose end it would take. */
  private static final java.util.regex.Pattern BLOCK =
      java.util.regex.Pattern.compile(
          "(?s)<!-- series (\\S+) -->\n((?!<!-- series ).)*?<!-- end -->");

  private SeriesFigures() {}

  /**
   * Returns the files of the docs with the figures of all series.
   *
   * @param directory of the CSV files, in the directory of the page
   * @return the content that each file should have
   * @throws IllegalArgumentException if a CSV file is invalid, or if a series has no place in the
   *     page or the reverse; the message has the remedy
   * @throws IOException if a file cannot be read
   */
  static SortedMap<Path, String> files(Path directory) throws IOException {
    SortedMap<Path, String> files = new TreeMap<>();
    Map<String, String> blocks = new TreeMap<>();
    for (Path csv : csvFiles(directory)) {
      String file = csv.getFileName().toString();
      String name = file.substring(0, file.length() - ENDING.length());
      PatternCsvReader.Series series = PatternCsvReader.read(csv);
      Path image = directory.resolveSibling("images").resolve(name + ".svg");
      files.put(image, PatternChart.svg(series.outcomes()));
      blocks.put(name, block(name, series));
    }
    Path page = directory.resolveSibling("benchmarks.md");
    files.put(page, withBlocks(page, blocks));
    return files;
  }

  private static List<Path> csvFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).toList();
    }
  }

  private static String block(String name, PatternCsvReader.Series series) {
    String command =
        series.comments().stream()
            .map(line -> "    " + line.substring(Math.min(2, line.length())) + "\n")
            .collect(Collectors.joining());
    String image = "![Seconds by pattern and setup](images/" + name + ".svg)";
    return String.join(
        "\n",
        "<!-- series " + name + " -->",
        "",
        command,
        image,
        "",
        PatternTables.summary(series.outcomes()),
        "<!-- end -->");
  }

  private static String withBlocks(Path page, Map<String, String> blocks) throws IOException {
    Map<String, String> missing = new TreeMap<>(blocks);
    StringBuilder text = new StringBuilder();
    Matcher place = BLOCK.matcher(Files.readString(page));
    while (place.find()) {
      String name = place.group(1);
      String block = missing.remove(name);
      if (block == null) {
        throw new IllegalArgumentException(
            page + " has a place for series " + name + ": add its CSV file, or remove the place");
      }
      place.appendReplacement(text, Matcher.quoteReplacement(block));
    }
    for (String name : missing.keySet()) {
      throw new IllegalArgumentException(
          String.format(
              "%s has no place for series %s: add the lines <!-- series %s --> and <!-- end -->",
              page, name, name));
    }
    return place.appendTail(text).toString();
  }
}

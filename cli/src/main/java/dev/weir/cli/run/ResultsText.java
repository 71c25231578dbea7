package dev.weir.cli.run;

import dev.weir.cli.common.Sizes;
import dev.weir.workflow.client.RunResults.Found;
import dev.weir.workflow.text.PrintableText;

/** Formats the results of a run for the terminal. */
public final class ResultsText {

  private static final int SHOWN = 10;

  private ResultsText() {}

  /**
   * Returns where the results are, and the first of them.
   *
   * @param where such as {@code in hdfs:/a}
   */
  static String of(String where, Found found) {
    StringBuilder text =
        new StringBuilder("Results: ").append(count(found)).append(' ').append(where);
    found.present().stream()
        .limit(SHOWN)
        .forEach(
            file ->
                text.append("\n  ")
                    .append(PrintableText.of(file.name()))
                    .append("  ")
                    .append(Sizes.of(file.bytes())));
    if (found.present().size() > SHOWN) {
      text.append("\n  and ").append(found.present().size() - SHOWN).append(" more");
    }
    return text.toString();
  }

  /** Returns the number of files and their size. */
  public static String count(Found found) {
    int files = found.present().size();
    return files + (files == 1 ? " file (" : " files (") + Sizes.of(found.bytes()) + ")";
  }
}

package dev.weir.bench.report;

import java.util.List;

/** A table in Markdown. */
public final class MarkdownTable {
  /** The text of a cell without a value. */
  public static final String NONE = "–";

  private final StringBuilder text = new StringBuilder();

  /** Creates a table without rows. */
  public MarkdownTable(List<String> columns) {
    row(columns);
    text.append("|").append("---|".repeat(columns.size())).append('\n');
  }

  /** Adds a row. */
  public void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Returns the lines, each with its end. */
  @Override
  public String toString() {
    return text.toString();
  }
}

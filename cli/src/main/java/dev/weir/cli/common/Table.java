package dev.weir.cli.common;

import dev.weir.workflow.text.PrintableText;
import java.util.ArrayList;
import java.util.List;

/**
 * A text table. Each column is as wide as its longest value; line breaks within values are escaped.
 * Not thread-safe.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<String> heading;
  private final List<Boolean> numbers = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates a table without rows.
   *
   * @param heading the names of the columns; one that ends with {@code #} holds numbers and is
   *     aligned to the right
   */
  public Table(String... heading) {
    List<String> names = new ArrayList<>();
    for (String name : heading) {
      boolean number = name.endsWith("#");
      numbers.add(number);
      names.add(number ? name.substring(0, name.length() - 1) : name);
    }
    this.heading = List.copyOf(names);
  }

  /** Adds a row. */
  public Table row(Object... values) {
    if (values.length != heading.size()) {
      throw new IllegalArgumentException(
          "a row of " + values.length + " values in a table of " + heading.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object value : values) {
      row.add(PrintableText.of(String.valueOf(value)));
    }
    rows.add(row);
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the lines, each with a line end. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    line(text, heading);
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private void line(StringBuilder text, List<String> values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      String padding = " ".repeat(width(i) - length(values.get(i)));
      line.append(i == 0 ? "" : GAP);
      line.append(numbers.get(i) ? padding + values.get(i) : values.get(i) + padding);
    }
    text.append(line.toString().stripTrailing()).append(System.lineSeparator());
  }

  private int width(int column) {
    int width = length(heading.get(column));
    for (List<String> row : rows) {
      width = Math.max(width, length(row.get(column)));
    }
    return width;
  }

  private static int length(String value) {
    return value.codePointCount(0, value.length());
  }
}

package dev.weir.bench.series;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What has to be the same for all runs of a series, by name.
 *
 * @param values what each is, as people read it
 */
public record SeriesParameters(SortedMap<String, String> values) {
  private static final String MISSING = "nothing";

  /** Copies. */
  public SeriesParameters {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** Begins without any. */
  public static SeriesParameters none() {
    return new SeriesParameters(new TreeMap<>());
  }

  /**
   * The same with one more.
   *
   * @param value null where it is not set
   */
  public SeriesParameters with(String name, @Nullable Object value) {
    SortedMap<String, String> more = new TreeMap<>(values);
    more.put(name, value == null ? MISSING : value.toString());
    return new SeriesParameters(more);
  }

  /**
   * Where others are different.
   *
   * @param now the others
   * @return a clause for each difference; none when they are the same
   */
  public List<String> differences(SeriesParameters now) {
    TreeSet<String> names = new TreeSet<>(values.keySet());
    names.addAll(now.values.keySet());
    List<String> clauses = new ArrayList<>();
    for (String name : names) {
      String before = values.getOrDefault(name, MISSING);
      String after = now.values.getOrDefault(name, MISSING);
      if (!before.equals(after)) {
        clauses.add(name + " is " + before + " there and " + after + " now");
      }
    }
    return clauses;
  }
}

package dev.weir.bench.series;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that all runs of a series must share, by name.
 *
 * @param values the values as text
 */
public record SeriesParameters(SortedMap<String, String> values) {
  private static final String MISSING = "nothing";

  public SeriesParameters {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  public static SeriesParameters none() {
    return new SeriesParameters(new TreeMap<>());
  }

  /** Returns a copy with the software and the machine, which all compared runs share. */
  public SeriesParameters withEnvironment() {
    return with("commit", Session.currentCommit())
        .with("hadoop", VersionInfo.getVersion())
        .with("java", System.getProperty("java.version"))
        .with("processors", Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns a copy with one more parameter.
   *
   * @param value null if it is not set
   */
  public SeriesParameters with(String name, @Nullable Object value) {
    SortedMap<String, String> more = new TreeMap<>(values);
    more.put(name, value == null ? MISSING : value.toString());
    return new SeriesParameters(more);
  }

  /**
   * Compares with other parameters.
   *
   * @param now the others
   * @return a clause per difference; empty if they are equal
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

package dev.weir.hdfs;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What came of the hints of all file systems of this process, where Hadoop has such numbers: {@code
 * FileSystem.getGlobalStorageStatistics().get("weir-hints")}. For any thread.
 */
final class HintStatistics extends StorageStatistics {
  static final String NAME = "weir-hints";

  /** What can come of a look at the hints. */
  enum Kind {
    /** A hint was found. */
    ADVISED,
    /** The hints were not there in time, and the file is stock. */
    UNREADY,
    /** The NameNode refused what was advised, and the file is stock. */
    REFUSED;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  HintStatistics() {
    super(NAME);
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /** Those of the process. */
  static HintStatistics ofProcess() {
    StorageStatistics present = GlobalStorageStatistics.INSTANCE.put(NAME, HintStatistics::new);
    // Another class loader's are a class of their own.
    return present instanceof HintStatistics ours ? ours : new HintStatistics();
  }

  void count(Kind kind) {
    adder(kind).increment();
  }

  long of(Kind kind) {
    return adder(kind).sum();
  }

  private LongAdder adder(Kind kind) {
    LongAdder adder = counts.get(kind);
    if (adder == null) {
      throw new IllegalStateException("every kind has a count: " + kind);
    }
    return adder;
  }

  @Override
  public Iterator<LongStatistic> getLongStatistics() {
    List<LongStatistic> all = new ArrayList<>();
    counts.forEach((kind, count) -> all.add(new LongStatistic(kind.key(), count.sum())));
    return all.iterator();
  }

  @Override
  public @Nullable Long getLong(String key) {
    for (Map.Entry<Kind, LongAdder> count : counts.entrySet()) {
      if (count.getKey().key().equals(key)) {
        return count.getValue().sum();
      }
    }
    return null;
  }

  @Override
  public boolean isTracked(String key) {
    return getLong(key) != null;
  }

  @Override
  public void reset() {
    counts.values().forEach(LongAdder::reset);
  }
}

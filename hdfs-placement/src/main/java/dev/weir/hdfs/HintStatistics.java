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
 * Counts what happened to the hints of this process' file systems, as Hadoop storage statistics:
 * {@code FileSystem.getGlobalStorageStatistics().get("weir-hints")}. Thread-safe.
 */
final class HintStatistics extends StorageStatistics {
  static final String NAME = "weir-hints";

  /** The result of consulting the hints. */
  enum Kind {
    /** A hint was found. */
    ADVISED,
    /** The hints could not be read; files get stock values until they are read. */
    UNREADABLE,
    /** The NameNode refused the advised values; the file got stock values. */
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

  static HintStatistics ofProcess() {
    StorageStatistics present = GlobalStorageStatistics.INSTANCE.put(NAME, HintStatistics::new);
    // The registered object may be of the same class from another class loader.
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
      throw new IllegalStateException("no counter for " + kind);
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

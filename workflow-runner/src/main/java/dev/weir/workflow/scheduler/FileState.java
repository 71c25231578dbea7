package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.record.BlockExtent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file: whether HDFS holds it, and where. */
final class FileState {

  /** Unique in the session. */
  final String id;

  /** As the workflow calls it. */
  final String name;

  final long sizeBytes;

  /** Who makes it; null for an input of the workflow. */
  @Nullable TaskState producer;

  /** Who reads it. */
  List<TaskState> readers = List.of();

  private boolean available;

  /** Its length in bytes; while it is not there, what is declared. */
  private long length;

  private Map<String, Long> bytesByHost = Map.of();

  /** Its blocks, when somebody reads regions of it and they are known. */
  private List<BlockExtent> extents = List.of();

  private int generation;
  private int losses;

  /** Whether it is to be deleted when nobody needs it any more. */
  boolean temporary;

  /** Whether somebody wants it at the end of the run, though tasks read it. */
  boolean wanted;

  /** When an attempt of this run had made it; 0 when none has. */
  private long madeMillis;

  /** The number that HDFS has given to what an attempt of this run had made; 0 when not known. */
  long fileId;

  /** Whether nobody needs it and it is deleted, or about to be. */
  private boolean letGo;

  /** Whether its deletion is under way: until that is over it must not be made again. */
  boolean going;

  /** Whether its producer waits for that. */
  boolean awaited;

  /** The place of a reader that is not at rest, or was not when that was last looked at. */
  private int watched;

  /** A file of the graph whose ids have no prefix. */
  FileState(String id, long sizeBytes) {
    this(id, id, sizeBytes);
  }

  FileState(String id, String name, long sizeBytes) {
    this.id = id;
    this.name = name;
    this.sizeBytes = sizeBytes;
    this.length = sizeBytes;
  }

  void readBy(TaskState reader) {
    if (readers.isEmpty()) {
      readers = new ArrayList<>(1);
    }
    readers.add(reader);
  }

  boolean available() {
    return available;
  }

  /**
   * Counts how often the file was made, so that a late complaint about an old one is seen as such.
   */
  int generation() {
    return generation;
  }

  /** Its length in bytes; while it is not there, what is declared. */
  long length() {
    return length;
  }

  /** Whether a host holds every byte of it in HDFS. */
  boolean isWholeOn(String host) {
    return available && bytesByHost.getOrDefault(host, -1L) >= length;
  }

  int losses() {
    return losses;
  }

  Map<String, Long> bytesByHost() {
    return bytesByHost;
  }

  /** For each host that holds some of these regions, how many bytes. */
  Map<String, Long> bytesByHost(List<FileRegion> regions) {
    if (regions.isEmpty() || extents.isEmpty()) {
      return bytesByHost;
    }
    Map<String, Long> sum = new HashMap<>();
    for (FileRegion region : regions) {
      for (BlockExtent extent : extents) {
        long bytes = extent.within(region.offset(), region.length());
        if (bytes > 0) {
          extent.hosts().forEach(host -> sum.merge(host, bytes, Long::sum));
        }
      }
    }
    return sum;
  }

  /** How many bytes of these regions a host holds in HDFS; of the whole file if there are none. */
  long bytesOn(String host, List<FileRegion> regions) {
    return regions.isEmpty() || extents.isEmpty()
        ? bytesByHost.getOrDefault(host, 0L)
        : bytesByHost(regions).getOrDefault(host, 0L);
  }

  Set<String> hosts() {
    return bytesByHost.keySet();
  }

  /** Whether it is held by some of these hosts and nobody else, as far as is known. */
  boolean onlyOn(Set<String> hosts) {
    return available && !bytesByHost.isEmpty() && hosts.containsAll(bytesByHost.keySet());
  }

  /** Whether the workflow is run for it: no task reads it, or somebody wants it all the same. */
  boolean isResult() {
    return readers.isEmpty() || wanted;
  }

  /** Whether it is a result of the workflow, or a task that reads it is not done. */
  boolean needed() {
    if (isResult()) {
      return true;
    }
    for (TaskState reader : readers) {
      if (!reader.settled()) {
        return true;
      }
    }
    return false;
  }

  /** When an attempt of this run had made it, in milliseconds since the epoch; 0 when none has. */
  long madeMillis() {
    return madeMillis;
  }

  /**
   * Whether a task that reads it is not at rest. Looks again at the one that was not the last time,
   * so that a file with many readers costs one look at each of them in all.
   */
  boolean hasBusyReader() {
    for (int looked = 0; looked < readers.size(); looked++) {
      if (!readers.get(watched).isAtRest()) {
        return true;
      }
      watched = (watched + 1) % readers.size();
    }
    return false;
  }

  /** Whether nobody needs it and it is deleted, or about to be. It counts as there until wanted. */
  boolean isLetGo() {
    return letGo;
  }

  /** Nobody needs it any more; where it was is of no interest. */
  void letGo() {
    letGo = true;
    bytesByHost = Map.of();
    extents = List.of();
  }

  /** It was let go, and somebody needs it after all: it is there no more. */
  void wantedAgain() {
    absent();
  }

  /**
   * It is in HDFS.
   *
   * @param bytes its length
   * @param places for each host that holds some of it, how many bytes
   * @param blocks its blocks, when somebody reads regions of it
   * @param millis when an attempt of this run had made it; 0 when none has
   */
  void stored(long bytes, Map<String, Long> places, List<BlockExtent> blocks, long millis) {
    available = true;
    letGo = false;
    madeMillis = millis;
    generation++;
    length = bytes;
    bytesByHost = lean(places);
    extents = List.copyOf(blocks);
  }

  /**
   * HDFS has made or lost replicas since it was stored. Nothing changes where it is not there.
   *
   * @param places for each host that holds some of it, how many bytes
   * @return whether that was not known
   */
  boolean relocate(Map<String, Long> places) {
    if (!available || letGo || places.equals(bytesByHost)) {
      return false;
    }
    bytesByHost = lean(places);
    return true;
  }

  /** Most hosts of a file hold all of it: one number does for them, as there may be many files. */
  private static Map<String, Long> lean(Map<String, Long> places) {
    Long all = places.isEmpty() ? null : places.values().iterator().next();
    if (all == null || !places.values().stream().allMatch(all::equals)) {
      return Map.copyOf(places);
    }
    Map<String, Long> lean = new HashMap<>();
    places.keySet().forEach(host -> lean.put(host, all));
    return Map.copyOf(lean);
  }

  void lost() {
    losses++;
    absent();
  }

  private void absent() {
    available = false;
    letGo = false;
    madeMillis = 0;
    fileId = 0;
    length = sizeBytes;
    bytesByHost = Map.of();
    extents = List.of();
  }
}

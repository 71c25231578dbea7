package dev.weir.hdfs.gather;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The regions of a gather that exist, and whether they make up a file. */
final class RegionFiles {
  /** The most regions that a message names for one fault. */
  private static final int MAX_NAMED = 8;

  private final TreeMap<Integer, Long> complete = new TreeMap<>();
  private final Map<Integer, String> attempts = new HashMap<>();

  /** Records a file of the gather's directory. */
  void add(String describe, long bytes) {
    Optional<GatherPaths.Part> part = GatherPaths.part(describe);
    if (part.isPresent() && part.get().isComplete()) {
      complete.put(part.get().region(), bytes);
    } else {
      part.ifPresent(attempt -> attempts.put(attempt.region(), describe));
    }
  }

  /**
   * The regions to join, in order, without empty ones.
   *
   * @param gather the name for messages
   * @param manifest the metadata from the beginning
   * @param requested the expected number of regions, or {@link GatherSpec#UNKNOWN}
   * @throws GatherException that names faulty regions
   */
  List<Integer> regionsToJoin(String gather, GatherManifest manifest, int requested)
      throws GatherException {
    int number = manifest.regionCount(requested);
    refuseMissing(gather, number);
    if (!complete.isEmpty() && complete.lastKey() >= number) {
      throw new GatherException(
          Problem.WRONG_SIZE,
          gather
              + " has a region "
              + complete.lastKey()
              + " but should have "
              + number
              + "; commit it with --regions "
              + (complete.lastKey() + 1)
              + ", or abort it");
    }
    refuseWrongSize(gather, manifest.regionBytes());
    return complete.entrySet().stream()
        .filter(region -> region.getValue() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void refuseMissing(String gather, int number) throws GatherException {
    SortedSet<Integer> unfinished = new TreeSet<>();
    SortedSet<Integer> missing = new TreeSet<>();
    for (int region = 0; region < number; region++) {
      if (!complete.containsKey(region)) {
        (attempts.containsKey(region) ? unfinished : missing).add(region);
      }
    }
    List<String> faults = new ArrayList<>();
    if (!missing.isEmpty()) {
      faults.add(describe(missing) + " missing");
    }
    if (!unfinished.isEmpty()) {
      String first = attempts.get(unfinished.first());
      faults.add(
          describe(unfinished)
              + " still being written, or left by a writer that died ("
              + first
              + ")");
    }
    if (!faults.isEmpty()) {
      throw new GatherException(
          Problem.INCOMPLETE,
          gather
              + ": "
              + String.join(", and ", faults)
              + "; commit when it is written, or abort the gather");
    }
  }

  /** The first region that is not full ends the file. Regions after it must be empty. */
  private void refuseWrongSize(String gather, long regionBytes) throws GatherException {
    int end = -1;
    for (Map.Entry<Integer, Long> region : complete.entrySet()) {
      long bytes = region.getValue();
      if (bytes > regionBytes) {
        throw new GatherException(
            Problem.WRONG_SIZE,
            gather
                + ": region "
                + region.getKey()
                + " has "
                + bytes
                + " bytes, more than the "
                + regionBytes
                + " of a region; abort the gather");
      }
      if (end >= 0 && bytes > 0) {
        throw new GatherException(
            Problem.WRONG_SIZE,
            gather
                + ": region "
                + end
                + " has "
                + complete.get(end)
                + " bytes instead of "
                + regionBytes
                + ", and region "
                + region.getKey()
                + " after it is not empty; abort the gather and write it again");
      }
      if (end < 0 && bytes < regionBytes) {
        end = region.getKey();
      }
    }
  }

  private static String describe(SortedSet<Integer> regions) {
    String names =
        regions.stream().limit(MAX_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    int more = regions.size() - MAX_NAMED;
    return (regions.size() == 1 ? "region " : "regions ")
        + names
        + (more > 0 ? " and " + more + " more" : "")
        + (regions.size() == 1 ? " is" : " are");
  }
}

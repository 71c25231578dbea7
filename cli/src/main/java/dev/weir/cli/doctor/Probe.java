package dev.weir.cli.doctor;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Files that are written under a hint, to see where HDFS puts them.
 *
 * @param name what the hint is for, and the probe's directory
 * @param hint in its short form
 * @param files how many files are written
 * @param regions of how many regions each is
 * @param rule what must be true of where they are
 */
record Probe(String name, String hint, int files, int regions, Rule rule) {
  /** HDFS takes no smaller blocks by default. */
  static final int REGION_BYTES = 1 << 20;

  /** What must be true of a probe. */
  @FunctionalInterface
  interface Rule {
    /**
     * What is not as the hint wants it; empty when all is.
     *
     * @param blocks for each file, for each block, the hosts that hold it
     */
    String fault(List<List<Set<String>>> blocks);
  }

  /** Those that need no more than a file. */
  static List<Probe> all() {
    return List.of(
        new Probe("pipeline", "pipeline,temporary", 1, 1, copies(1)),
        new Probe("broadcast", "broadcast=2", 1, 1, copies(2)),
        new Probe("reduce", "collocate=doctor,replicas=2", 4, 1, Probe::together),
        new Probe("scatter", "scatter=1m,replicas=1", 1, 6, Probe::takingTurns));
  }

  private static Rule copies(int wanted) {
    return files -> {
      int got = files.get(0).get(0).size();
      return got == wanted ? "" : "has " + got + " copies, not " + wanted;
    };
  }

  private static String together(List<List<Set<String>>> files) {
    List<String> places =
        files.stream()
            .map(blocks -> new TreeSet<>(blocks.get(0)).toString())
            .distinct()
            .sorted()
            .toList();
    return places.size() == 1 ? "" : "the files of a group are on different nodes: " + places;
  }

  private static String takingTurns(List<List<Set<String>>> files) {
    List<Set<String>> blocks = files.get(0);
    Set<String> nodes = new TreeSet<>();
    blocks.forEach(nodes::addAll);
    if (blocks.size() != 6) {
      return "has " + blocks.size() + " blocks, not 6 of 1 MiB";
    }
    for (int i = 1; i < blocks.size() && nodes.size() > 1; i++) {
      if (blocks.get(i).equals(blocks.get(i - 1))) {
        return "region " + i + " is where the one before it is";
      }
    }
    return nodes.size() > 1 ? "" : "all regions are on " + nodes;
  }
}

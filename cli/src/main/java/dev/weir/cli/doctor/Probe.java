package dev.weir.cli.doctor;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Files that are written under a hint to check their placement.
 *
 * @param name name of the hint and of the probe's directory
 * @param hint in its short form
 * @param files number of files
 * @param regions number of regions of each file
 * @param rule the rule that the locations must satisfy
 */
record Probe(String name, String hint, int files, int regions, Rule rule) {
  /** The smallest block size that HDFS allows by default. */
  static final int REGION_BYTES = 1 << 20;

  /** A rule for the locations of blocks. */
  @FunctionalInterface
  interface Rule {
    /**
     * Returns how the locations violate the hint; empty if they satisfy it.
     *
     * @param blocks for each file, for each block, the hosts that hold it
     */
    String fault(List<List<Set<String>>> blocks);
  }

  /** Returns the probes that need only files. */
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

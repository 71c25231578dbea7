package dev.weir.bench;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The hint of the files of {@link ChooseTargetBenchmark}, and their replicas. */
public enum PlacementCase {
  /** No rule applies to files of their directories. */
  ELSEWHERE(3, 3),
  /** No rule applies to the files, but rules apply to others of their directory. */
  UNHINTED(3, 3),
  /** The client writes all replicas, the first on its own node. */
  LOCAL(3, 3),
  /** The client writes two replicas, the first on its own node. */
  PIPELINE(3, 2),
  /** On the anchors of one group. */
  COLLOCATE(3, 3),
  /** On the anchors of as many groups as there are files. */
  GROUPS(3, 3),
  /** On eight nodes. */
  BROADCAST(8, 8),
  /** In regions of four blocks. */
  SCATTER(3, 3),
  /** On three of four nodes that the hint names. */
  NODES(3, 3);

  /** The number of files that are written at the same time; a power of two. */
  static final int FILES = 1024;

  /** The maximum number of blocks of each file. */
  static final int BLOCKS = 64;

  private static final int RUNS = 10;

  final int replicas;

  /** The replicas that the client writes, and that stock chooses. */
  final int targets;

  PlacementCase(int replicas, int targets) {
    this.replicas = replicas;
    this.targets = targets;
  }

  /** Returns the path of a file, of six components. */
  String path(int file) {
    return switch (this) {
      case ELSEWHERE -> "/user/bob/warehouse/events/day_" + file % RUNS + "/part_" + file + ".orc";
      case UNHINTED -> RunHintSets.other(file % RUNS, file);
      default -> "/user/alice/runs/" + directory() + "/output/file_" + file + ".dat";
    };
  }

  /**
   * Returns a thousand rules for other files, and those for the files of the case.
   *
   * @param blockSize in bytes
   */
  List<HintSet> sets(long blockSize) {
    List<HintSet> sets = new ArrayList<>();
    IntStream.range(0, RUNS).forEach(run -> sets.add(RunHintSets.run(run)));
    List<Rule> rules = new ArrayList<>();
    if (this == GROUPS) {
      for (int file = 0; file < FILES; file++) {
        rules.add(new Rule(PathPattern.literal(path(file)), collocated("group-" + file)));
      }
    } else if (this != UNHINTED && this != ELSEWHERE) {
      String all = "/user/alice/runs/" + directory() + "/output/*";
      rules.add(new Rule(PathPattern.parse(all), hint(blockSize)));
    }
    // The hints of a run expire, which each lookup must check.
    Instant expires = Instant.now().plus(Duration.ofDays(1));
    sets.add(new HintSet("the-case", "alice", expires, rules));
    return sets;
  }

  private Hint hint(long blockSize) {
    return switch (this) {
      case LOCAL -> Hint.builder().placement(new Placement.Local()).build();
      case PIPELINE -> HintPresets.pipeline();
      case COLLOCATE -> collocated("group");
      case BROADCAST -> HintPresets.broadcast(replicas);
      case SCATTER -> Hint.builder().placement(new Placement.Scatter(4 * blockSize)).build();
      case NODES -> Hint.builder().placement(new Placement.Nodes(names())).build();
      case ELSEWHERE, UNHINTED, GROUPS -> throw new IllegalStateException(this + " has no hint");
    };
  }

  private static Hint collocated(String group) {
    return Hint.builder().placement(new Placement.Collocate(group)).build();
  }

  private static List<String> names() {
    return IntStream.of(7, 410, 77, 934).mapToObj(n -> "node" + n + ".example.org").toList();
  }

  private String directory() {
    return "of-" + name().toLowerCase(Locale.ROOT);
  }
}

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

/**
 * What the files of {@link ChooseTargetBenchmark} are hinted as, and how many replicas they get.
 */
public enum PlacementCase {
  /** No rule is for files of their directories. */
  ELSEWHERE(3, 3),
  /** No rule is for the files, but for others of their directory. */
  UNHINTED(3, 3),
  /** All replicas in the write, the first with the writer. */
  LOCAL(3, 3),
  /** One replica in the write, with the writer. */
  PIPELINE(3, 1),
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

  /** How many files are written at the same time; a power of two. */
  static final int FILES = 1024;

  /** How many blocks each of them has at most. */
  static final int BLOCKS = 64;

  private static final int RUNS = 10;

  /** How many replicas the file has. */
  final int replicas;

  /** How many of them the write makes; stock is asked for as many. */
  final int targets;

  PlacementCase(int replicas, int targets) {
    this.replicas = replicas;
    this.targets = targets;
  }

  /** The path of a file, of six components. */
  String path(int file) {
    return switch (this) {
      case ELSEWHERE -> "/user/bob/warehouse/events/day_" + file % RUNS + "/part_" + file + ".orc";
      case UNHINTED -> RunHintSets.other(file % RUNS, file);
      default -> "/user/alice/runs/" + directory() + "/output/file_" + file + ".dat";
    };
  }

  /**
   * A thousand rules for other files, and those for the files of the case.
   *
   * @param blockSize in bytes
   */
  List<HintSet> sets(long blockSize) {
    List<HintSet> sets = new ArrayList<>();
    IntStream.range(0, RUNS).forEach(run -> sets.add(RunHintSets.run(run, true)));
    List<Rule> rules = new ArrayList<>();
    if (this == GROUPS) {
      for (int file = 0; file < FILES; file++) {
        rules.add(new Rule(PathPattern.literal(path(file)), collocated("group-" + file)));
      }
    } else if (this != UNHINTED && this != ELSEWHERE) {
      String all = "/user/alice/runs/" + directory() + "/output/*";
      rules.add(new Rule(PathPattern.parse(all), hint(blockSize)));
    }
    // Hints of a run expire, which each look-up has to mind.
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
      case ELSEWHERE, UNHINTED, GROUPS ->
          throw new IllegalStateException(this + " has no hint of its own");
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

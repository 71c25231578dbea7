package dev.weir.bench;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.util.ArrayList;
import java.util.List;

/** The hint sets of many runs of a workflow, and paths of six components to look up in them. */
final class RunHintSets {
  static final int RULES = 100;

  private RunHintSets() {}

  /** Returns the set of one run: rules for single files, and one pattern. */
  static HintSet run(int number) {
    List<Rule> rules = new ArrayList<>(RULES);
    for (int file = 1; file < RULES; file++) {
      rules.add(new Rule(PathPattern.literal(named(number, file)), HintPresets.pipeline()));
    }
    String mosaic = "/user/alice/runs/" + id(number) + "/mosaic/tile_*.fits";
    rules.add(new Rule(PathPattern.parse(mosaic), HintPresets.reduce("mosaic")));
    return new HintSet(id(number), "alice", null, rules);
  }

  /** Returns a path that a rule names. */
  static String named(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/projected/region_" + file + ".fits";
  }

  /** Returns a path that only the run's pattern matches. */
  static String matched(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/mosaic/tile_" + file + ".fits";
  }

  /** Returns a path in the same directory without a rule. */
  static String other(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/mosaic/table_" + file + ".tbl";
  }

  private static String id(int number) {
    return "run-" + number;
  }
}

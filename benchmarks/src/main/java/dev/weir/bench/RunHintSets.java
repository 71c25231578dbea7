package dev.weir.bench;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.util.ArrayList;
import java.util.List;

/** The hint sets of many runs of a workflow, and paths of six components to look up among them. */
final class RunHintSets {
  /** How many rules a set has. */
  static final int RULES = 100;

  private RunHintSets() {}

  /** One run: files named one by one, and one pattern when there is to be one. */
  static HintSet run(int number, boolean pattern) {
    List<Rule> rules = new ArrayList<>(RULES);
    for (int file = pattern ? 1 : 0; file < RULES; file++) {
      rules.add(new Rule(PathPattern.literal(named(number, file)), HintPresets.pipeline()));
    }
    if (pattern) {
      String mosaic = "/user/alice/runs/" + id(number) + "/mosaic/tile_*.fits";
      rules.add(new Rule(PathPattern.parse(mosaic), HintPresets.reduce("mosaic")));
    }
    return new HintSet(id(number), "alice", null, rules);
  }

  /** A path that a rule names. */
  static String named(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/projected/region_" + file + ".fits";
  }

  /** A path that only the run's pattern matches. */
  static String matched(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/mosaic/tile_" + file + ".fits";
  }

  /** A path beside those, for which there is no rule. */
  static String other(int number, int file) {
    return "/user/alice/runs/" + id(number) + "/mosaic/table_" + file + ".tbl";
  }

  private static String id(int number) {
    return "run-" + number;
  }
}

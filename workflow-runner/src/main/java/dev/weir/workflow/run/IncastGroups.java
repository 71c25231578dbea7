package dev.weir.workflow.run;

import dev.weir.hints.Hint;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Groups files that a run's hints place on the same node. Sent all at once, as at the end of a
 * stage, their connections would overflow the switch queue before that node, and the last would
 * wait for TCP timeouts while the link is idle (incast: Phanishayee et al., Measurement and
 * Analysis of TCP Throughput Collapse in Cluster-based Storage Systems, FAST 2008).
 * Immutable.
 */
public final class IncastGroups {
  /** No groups. */
  public static final IncastGroups NONE = new IncastGroups(HintIndex.empty(), () -> false);

  /** No host has such a name. */
  private static final String PREFIX = "lane:";

  private final HintIndex index;
  private final BooleanSupplier inForce;

  private IncastGroups(HintIndex index, BooleanSupplier inForce) {
    this.index = index;
    this.inForce = inForce;
  }

  /**
   * Creates the groups of some rules.
   *
   * @param inForce whether the NameNode follows the hints; if not, there are no groups
   */
  public static IncastGroups of(List<Rule> rules, BooleanSupplier inForce) {
    return rules.isEmpty()
        ? NONE
        : new IncastGroups(HintIndex.of(List.of(new HintSet("run", "run", null, rules))), inForce);
  }

  /**
   * Returns the group of a file.
   *
   * @param path absolute path in HDFS, without scheme
   * @return the name of the group; empty for none
   */
  String of(String path) {
    return inForce.getAsBoolean()
        ? index.lookup(path).map(match -> of(match.hint())).orElse("")
        : "";
  }

  /**
   * Returns the hint of a file as JSON.
   *
   * @param path absolute path in HDFS, without scheme
   * @return empty for none
   */
  String hint(String path) {
    return inForce.getAsBoolean()
        ? index.lookup(path).map(match -> HintCodec.hintToJson(match.hint())).orElse("")
        : "";
  }

  /** Lazy groups stay with their writers, and spread groups have several nodes. */
  private static String of(Hint hint) {
    return hint.placement().orElse(null) instanceof Placement.Collocate collocate
            && collocate.spread() == 1
            && !hint.isLazy()
        ? PREFIX + collocate.group()
        : "";
  }
}

package dev.weir.workflow.run;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Which files the hints of a run have written to one and the same node. Were all of them sent at
 * once, as when a stage of many tasks ends, their connections would crowd each other out of the
 * queue before that node's link, and the last would wait out pauses of TCP with the link idle
 * (incast: Phanishayee et al., Measurement and Analysis of TCP Throughput Collapse in Cluster-based
 * Storage Systems, FAST 2008). And which files HDFS copies to such a node later. Immutable.
 */
public final class IncastGroups {
  /** Every file for itself. */
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
   * Those of some rules.
   *
   * @param inForce whether the NameNode places by them; if not every file goes somewhere else
   */
  public static IncastGroups of(List<Rule> rules, BooleanSupplier inForce) {
    return rules.isEmpty()
        ? NONE
        : new IncastGroups(HintIndex.of(List.of(new HintSet("run", "run", null, rules))), inForce);
  }

  /**
   * The lane of a file.
   *
   * @param path absolute path in HDFS, without scheme
   * @return a name for all files that go where it goes; empty when it goes there alone
   */
  String of(String path) {
    return inForce.getAsBoolean()
        ? index.lookup(path).map(match -> of(match.hint())).orElse("")
        : "";
  }

  /**
   * Whether HDFS copies a file that stays with its writer to where its group is gathered.
   *
   * @param path absolute path in HDFS, without scheme
   */
  boolean isCopied(String path) {
    return inForce.getAsBoolean()
        && index.lookup(path).filter(match -> isCopied(match.hint())).isPresent();
  }

  private static boolean isCopied(Hint hint) {
    return hint.isLazy() && hint.placement().orElse(null) instanceof Placement.Collocate;
  }

  /** A lazy one stays with its writer, and a spread group has several nodes. */
  private static String of(Hint hint) {
    return hint.placement().orElse(null) instanceof Placement.Collocate collocate
            && collocate.spread() == 1
            && !hint.isLazy()
        ? PREFIX + collocate.group()
        : "";
  }
}

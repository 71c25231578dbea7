package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules that HDFS clients follow when they create files, as an extended attribute of the root
 * directory. So a client reads them with one call to the NameNode and needs no ZooKeeper session.
 *
 * <p>An attribute holds few bytes. If not all rules fit, the sets with most rules are left out, and
 * with them all rules for the same directories: a client must not follow a rule that a more
 * specific one overrides.
 */
public final class ClientRules {
  public static final String ATTRIBUTE = "user.weir.rules";

  /**
   * Half of HDFS's default limit of an attribute ({@code dfs.namenode.fs-limits.max-xattr-size}).
   */
  static final int MAX_BYTES = 8 << 10;

  private static final int MAX_RULES = 2048;

  /** A longer value is gzipped. */
  private static final int MAX_PLAIN = 512;

  private final byte[] value;
  private final int leftOut;

  private ClientRules(byte[] value, int leftOut) {
    this.value = value;
    this.leftOut = leftOut;
  }

  /**
   * The rules of an index. Leaves out the sets of runs and sessions, which are named after their
   * application: their workers know the rules.
   */
  public static ClientRules of(HintIndex index) {
    List<SetInfo> smallestFirst =
        index.sets().stream()
            .filter(set -> set.rules() > 0 && !set.id().startsWith("application_"))
            .sorted(Comparator.comparing(SetInfo::rules).thenComparing(SetInfo::id))
            .toList();
    Map<String, Set<String>> directories = new HashMap<>();
    for (int limit = MAX_RULES; limit > 0; limit /= 2) {
      int sets = setsWithin(limit, smallestFirst);
      NavigableSet<String> leftOut = new TreeSet<>();
      for (SetInfo set : smallestFirst.subList(sets, smallestFirst.size())) {
        leftOut.addAll(directories.computeIfAbsent(set.id(), index::directories));
      }
      byte[] value = encode(index, smallestFirst.subList(0, sets), leftOut);
      if (value.length <= MAX_BYTES) {
        return new ClientRules(value, smallestFirst.size() - sets);
      }
    }
    return new ClientRules(new byte[0], smallestFirst.size());
  }

  /** The value of the attribute; empty if there are no rules. */
  public byte[] value() {
    return value.clone();
  }

  /** The number of sets whose rules do not fit. */
  public int leftOut() {
    return leftOut;
  }

  /**
   * Decodes an attribute.
   *
   * @param authority the file system of the attribute
   * @return without the rules if they have expired
   * @throws InvalidHintException if it cannot be read
   */
  public static HintIndex decode(byte[] value, String authority, Instant now) {
    HintIndex index = HintIndex.empty(authority);
    HintSet rules = SetSerializer.decode(value, "the attribute " + ATTRIBUTE + " of /");
    return rules.isExpired(now) ? index : index.with(rules, 0);
  }

  private static int setsWithin(int limit, List<SetInfo> smallestFirst) {
    int rules = 0;
    int sets = 0;
    while (sets < smallestFirst.size() && rules + smallestFirst.get(sets).rules() <= limit) {
      rules += smallestFirst.get(sets++).rules();
    }
    return sets;
  }

  /**
   * @param leftOut directories of other sets, whose rules may override those of these sets
   */
  private static byte[] encode(HintIndex index, List<SetInfo> sets, NavigableSet<String> leftOut) {
    List<SetInfo> kept = sets.stream().sorted(Comparator.comparing(SetInfo::id)).toList();
    // Of rules with the same pattern, that of the first set applies, as in the index.
    Map<String, Rule> rules = new LinkedHashMap<>();
    for (SetInfo set : kept) {
      for (Match match : index.rules(set.id())) {
        Rule rule = withoutAuthority(match);
        rules.putIfAbsent(rule.pattern().toString(), rule);
      }
    }
    List<Rule> remaining = new ArrayList<>(rules.values());
    remaining.removeIf(rule -> isRelated(rule.pattern().literalPrefix(), leftOut));
    if (remaining.isEmpty()) {
      return new byte[0];
    }
    Instant expires =
        kept.stream()
            .map(SetInfo::expires)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null);
    return SetSerializer.encode(new HintSet("clients", "weir", expires, remaining), MAX_PLAIN);
  }

  /** The attribute belongs to one file system, which clients may call by different names. */
  private static Rule withoutAuthority(Match match) {
    PathPattern pattern = PathPattern.parse(match.pattern());
    return new Rule(
        pattern
            .authority()
            .map(name -> match.pattern().substring(("hdfs://" + name).length()))
            .map(PathPattern::parse)
            .orElse(pattern),
        match.hint());
  }

  /** Whether a directory contains one of the others or is in it. */
  private static boolean isRelated(String directory, NavigableSet<String> others) {
    if (directory.equals("/") && !others.isEmpty()) {
      return true;
    }
    String below = others.ceiling(directory + "/");
    if (below != null && below.startsWith(directory + "/")) {
      return true;
    }
    String ancestor = directory;
    while (!ancestor.isEmpty()) {
      if (others.contains(ancestor)) {
        return true;
      }
      ancestor = ancestor.substring(0, ancestor.lastIndexOf('/'));
    }
    return others.contains("");
  }
}

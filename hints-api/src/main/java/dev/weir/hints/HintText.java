package dev.weir.hints;

import dev.weir.hints.Placement.Collocate;
import dev.weir.hints.Placement.Local;
import dev.weir.hints.Placement.Nodes;
import dev.weir.hints.Placement.Scatter;
import dev.weir.hints.Placement.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The short text form of a {@link Hint}, for command lines and extended attributes. It is a preset
 * such as {@code pipeline}, {@code broadcast=8} or {@code reduce=group1}, a part such as {@code
 * replicas=3} or {@code temporary=12h}, or several of them separated by commas. What it cannot
 * express, such as a group with a comma in its name, is written as the JSON object.
 */
public final class HintText {
  private static final String STOCK = "stock";

  private HintText() {}

  /**
   * Parses a hint. Also accepts the older {@code broadcast(8)}, the keywords of WOSS ({@code
   * DP=local}, {@code DP=collocation g}, {@code DP=scatter n}, {@code Replication=n}), and the JSON
   * object.
   *
   * @throws InvalidHintException with the offset and the remedy
   */
  public static Hint parse(String text) {
    if (text.strip().startsWith("{")) {
      return HintCodec.hintFromJson(text, "hint");
    }
    return new HintTextParser(text).parse();
  }

  /** The words that a hint may consist of, such as {@code broadcast}. */
  public static List<String> words() {
    return HintTextParser.NAMES;
  }

  /** The shortest text that {@link #parse} converts to an equal hint. */
  public static String format(Hint hint) {
    if (!isExpressible(hint)) {
      return HintCodec.hintToJson(hint);
    }
    List<String> words = new ArrayList<>();
    Hint rest = preset(hint, words);
    rest.placement().ifPresent(placement -> placement(placement, words));
    rest.replication().ifPresent(replication -> replication(replication, words));
    if (rest.blockSize().isPresent()) {
      words.add("block=" + Quantities.format(rest.blockSize().getAsLong()));
    }
    boolean kept = rest.lifetime().isPresent() && !rest.isTemporary();
    if (kept && rest.cache()) {
      words.add("reuse");
      return String.join(",", words);
    }
    rest.lifetime().ifPresent(lifetime -> lifetime(lifetime, words));
    if (rest.cache()) {
      words.add("cache");
    }
    return words.isEmpty() ? STOCK : String.join(",", words);
  }

  /** Adds the preset that covers the most, and returns the rest of the hint. */
  private static Hint preset(Hint hint, List<String> words) {
    Hint.Builder rest = Hint.builder().cache(hint.cache());
    hint.lifetime().ifPresent(rest::lifetime);
    @Nullable Placement placement = hint.placement().orElse(null);
    @Nullable Replication replication = hint.replication().orElse(null);
    OptionalLong block = hint.blockSize();
    boolean lazy = Replication.lazy().equals(replication);
    if (placement instanceof Local && lazy) {
      words.add("pipeline");
      block.ifPresent(rest::blockSize);
    } else if (placement instanceof Collocate collocate && lazy) {
      words.add("reduce=" + collocate.group());
      addSpread(collocate, words);
      block.ifPresent(rest::blockSize);
    } else if (placement instanceof Scatter scatter && block.equals(size(scatter))) {
      words.add("scatter=" + Quantities.format(scatter.regionBytes()));
      hint.replication().ifPresent(rest::replication);
    } else if (placement instanceof Local && block.isPresent() && replication == null) {
      words.add("gather=" + Quantities.format(block.getAsLong()));
    } else if (placement == null && replication != null && isBroadcast(replication)) {
      words.add("broadcast=" + replication.target());
      block.ifPresent(rest::blockSize);
    } else {
      return hint;
    }
    return rest.build();
  }

  private static OptionalLong size(Scatter scatter) {
    return OptionalLong.of(scatter.regionBytes());
  }

  private static boolean isBroadcast(Replication replication) {
    return replication.mode() == Replication.Mode.EAGER && replication.hasTarget();
  }

  private static void placement(Placement placement, List<String> words) {
    if (placement instanceof Local) {
      words.add("local");
    } else if (placement instanceof Spread) {
      words.add("spread");
    } else if (placement instanceof Collocate collocate) {
      words.add("collocate=" + collocate.group());
      addSpread(collocate, words);
    } else if (placement instanceof Scatter scatter) {
      words.add("region=" + Quantities.format(scatter.regionBytes()));
    } else if (placement instanceof Nodes nodes) {
      words.add("nodes=" + String.join("+", nodes.hosts()));
    }
  }

  private static void addSpread(Collocate collocate, List<String> words) {
    if (collocate.spread() != 1) {
      words.add("spread=" + collocate.spread());
    }
  }

  private static void replication(Replication replication, List<String> words) {
    boolean lazy = replication.mode() == Replication.Mode.LAZY;
    AutoRange auto = replication.auto();
    if (auto != null) {
      words.add(auto.equals(AutoRange.DEFAULT) ? "auto" : "auto=" + auto);
    } else if (replication.hasTarget()) {
      words.add((lazy ? "lazy=" : "replicas=") + replication.target());
    } else {
      words.add(lazy ? "lazy" : "eager");
    }
  }

  private static void lifetime(Lifetime lifetime, List<String> words) {
    Duration expiry = lifetime.expiry();
    if (!lifetime.temporary()) {
      words.add("keep");
    } else {
      words.add(expiry == null ? "temporary" : "temporary=" + Quantities.format(expiry));
    }
  }

  private static boolean isExpressible(Hint hint) {
    @Nullable Placement placement = hint.placement().orElse(null);
    if (placement instanceof Collocate collocate) {
      return isExpressible(collocate.group());
    }
    return !(placement instanceof Nodes nodes)
        || nodes.hosts().stream().allMatch(host -> isExpressible(host) && !host.contains("+"));
  }

  private static boolean isExpressible(String word) {
    return !word.contains(",") && word.strip().equals(word);
  }
}

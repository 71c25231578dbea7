package dev.weir.hints;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one text of {@link HintText}. */
final class HintTextParser {
  private static final Pattern LEGACY_PRESET =
      Pattern.compile("(broadcast|reduce|scatter|gather)\\((.*)\\)", Pattern.DOTALL);

  /** All words, for completion and for suggestions. */
  static final List<String> NAMES =
      List.of(
          "pipeline",
          "broadcast",
          "reduce",
          "scatter",
          "gather",
          "reuse",
          "local",
          "collocate",
          "region",
          "nodes",
          "spread",
          "replicas",
          "lazy",
          "eager",
          "auto",
          "block",
          "temporary",
          "keep",
          "cache");

  private static final String WORDS =
      "write pipeline, broadcast=8, reduce=GROUP, scatter=64m, gather=64m, reuse, or parts such as"
          + " local, collocate=GROUP, region=64m, nodes=HOST+HOST, spread, replicas=3, lazy,"
          + " lazy=3, auto, auto=1..8, block=64m, temporary, temporary=12h, keep, cache";

  private final String text;
  private final Hint.Builder hint = Hint.builder();

  private final Map<String, String> wordOfPart = new HashMap<>();

  private Placement.@Nullable Collocate group;
  private int spread = 1;

  HintTextParser(String text) {
    this.text = text;
  }

  Hint parse() {
    Matcher legacy = LEGACY_PRESET.matcher(text.strip());
    if (legacy.matches()) {
      parseWord(0, legacy.group(1), legacy.group(2).strip());
    } else if (!text.strip().equals("stock")) {
      parseWords();
    }
    if (group != null) {
      hint.placement(new Placement.Collocate(group.group(), spread));
    } else if (spread != 1) {
      throw error(
          0,
          "has a spread without a group",
          "write collocate=GROUP or reduce=GROUP before spread=K");
    }
    return hint.build();
  }

  private void parseWords() {
    int start = 0;
    while (start <= text.length()) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      String word = text.substring(start, end).strip();
      int equals = word.indexOf('=');
      if (equals < 0) {
        parseWord(start, word, null);
      } else {
        parseWord(start, word.substring(0, equals).strip(), word.substring(equals + 1).strip());
      }
      start = end + 1;
    }
  }

  private void parseWord(int offset, String name, @Nullable String value) {
    try {
      if (value == null) {
        parseKeyword(offset, name);
      } else {
        parseAssignment(offset, name, value);
      }
    } catch (PositionedException e) {
      throw e;
    } catch (InvalidHintException e) {
      throw new InvalidHintException(
          "hint '" + text + "' at offset " + offset + ": " + e.getMessage(), e);
    }
  }

  private void parseKeyword(int offset, String name) {
    switch (name) {
      case "pipeline" -> {
        placement(offset, name, new Placement.Local());
        replication(offset, name, Replication.lazy());
      }
      case "reuse" -> {
        lifetime(offset, name, Lifetime.keep());
        cache(offset, name);
      }
      case "local" -> placement(offset, name, new Placement.Local());
      case "spread" -> placement(offset, name, new Placement.Spread());
      case "lazy" -> replication(offset, name, Replication.lazy());
      case "eager" ->
          replication(offset, name, new Replication(Replication.FILES_OWN, Replication.Mode.EAGER));
      case "auto" -> replication(offset, name, Replication.auto(AutoRange.DEFAULT));
      case "temporary" -> lifetime(offset, name, Lifetime.scratch());
      case "keep" -> lifetime(offset, name, Lifetime.keep());
      case "cache" -> cache(offset, name);
      case "" -> throw error(offset, "has an empty word", WORDS);
      default -> throw unknown(offset, name);
    }
  }

  private void parseAssignment(int offset, String name, String value) {
    switch (name) {
      case "broadcast", "replicas" ->
          replication(
              offset, name, new Replication(replicas(offset, value), Replication.Mode.EAGER));
      case "lazy" ->
          replication(
              offset, name, new Replication(replicas(offset, value), Replication.Mode.LAZY));
      case "auto" -> replication(offset, name, Replication.auto(range(offset, value)));
      case "reduce" -> {
        collocate(offset, name, value);
        replication(offset, name, Replication.lazy());
      }
      case "collocate" -> collocate(offset, name, value);
      case "spread" -> spread = Math.toIntExact(number(offset, value, Integer.MAX_VALUE));
      case "scatter" -> scatter(offset, name, value);
      case "gather" -> {
        placement(offset, name, new Placement.Local());
        blockSize(offset, name, value);
      }
      case "region" -> placement(offset, name, new Placement.Scatter(Quantities.bytes(value)));
      case "nodes" -> placement(offset, name, new Placement.Nodes(List.of(value.split("\\+", -1))));
      case "block" -> blockSize(offset, name, value);
      case "temporary" -> lifetime(offset, name, new Lifetime(true, Quantities.duration(value)));
      default -> parseWossKeyword(offset, name, value);
    }
  }

  private InvalidHintException unknown(int offset, String name) {
    return error(
        offset,
        "has a word '" + name + "' that is not known",
        Suggestion.closest(name, NAMES).map(word -> "did you mean '" + word + "'?").orElse(WORDS));
  }

  /** The keywords of the workflow-optimized storage system (WOSS) of Al-Kiswany and others. */
  private void parseWossKeyword(int offset, String name, String value) {
    String[] words = value.split("\\s+", 2);
    String argument = words.length > 1 ? words[1] : "";
    String key = name.toLowerCase(Locale.ROOT);
    if (key.equals("replication")) {
      replication(offset, name, Replication.eager(replicas(offset, value)));
    } else if (!key.equals("dp")) {
      throw unknown(offset, name);
    } else {
      switch (words[0].toLowerCase(Locale.ROOT)) {
        case "local" -> placement(offset, name, new Placement.Local());
        case "collocation" -> collocate(offset, name, argument);
        case "scatter" -> scatter(offset, name, argument);
        default ->
            throw error(
                offset,
                "has a placement '" + value + "' that is not known",
                "write DP=local, DP=collocation GROUP or DP=scatter BYTES");
      }
    }
  }

  private void scatter(int offset, String word, String value) {
    placement(offset, word, new Placement.Scatter(Quantities.bytes(value)));
    blockSize(offset, word, value);
  }

  private void collocate(int offset, String word, String name) {
    group = new Placement.Collocate(name);
    placement(offset, word, group);
  }

  private void placement(int offset, String word, Placement placement) {
    requireUnset(offset, word, "placement");
    hint.placement(placement);
  }

  private void replication(int offset, String word, Replication replication) {
    requireUnset(offset, word, "replication");
    hint.replication(replication);
  }

  private void blockSize(int offset, String word, String value) {
    requireUnset(offset, word, "block size");
    hint.blockSize(Quantities.bytes(value));
  }

  private void lifetime(int offset, String word, Lifetime lifetime) {
    requireUnset(offset, word, "lifetime");
    hint.lifetime(lifetime);
  }

  private void cache(int offset, String word) {
    requireUnset(offset, word, "cache");
    hint.cache(true);
  }

  private void requireUnset(int offset, String word, String part) {
    String previous = wordOfPart.put(part, word);
    if (previous != null) {
      throw error(
          offset,
          "sets the " + part + " twice, with '" + previous + "' and '" + word + "'",
          "leave one of them out");
    }
  }

  private int replicas(int offset, String value) {
    int number = Math.toIntExact(number(offset, value, Integer.MAX_VALUE));
    if (number == Replication.FILES_OWN) {
      throw error(offset, "asks for no replicas", "write 1 to " + Replication.MAX_TARGET);
    }
    return number;
  }

  private AutoRange range(int offset, String value) {
    int dots = value.indexOf("..");
    if (dots < 0) {
      throw error(offset, "has '" + value + "', which is not a range", "write auto=1..8");
    }
    String min = value.substring(0, dots).strip();
    return new AutoRange(
        min.isEmpty() ? Replication.FILES_OWN : replicas(offset, min),
        replicas(offset, value.substring(dots + 2).strip()));
  }

  private long number(int offset, String value, long max) {
    try {
      long number = Long.parseLong(value);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      PositionedException positioned =
          error(offset, "has '" + value + "', which is not a whole number", "write digits");
      positioned.initCause(e);
      throw positioned;
    }
    throw error(offset, "has " + value + ", which is out of range", "write a number of at least 1");
  }

  private PositionedException error(int offset, String problem, String remedy) {
    return new PositionedException(
        "hint '" + text + "' " + problem + " at offset " + offset + "; " + remedy);
  }

  /** An error that already names its position. */
  private static final class PositionedException extends InvalidHintException {
    private static final long serialVersionUID = 1L;

    PositionedException(String message) {
      super(message);
    }
  }
}

package dev.weir.hints;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one text of {@link HintText}. Used once. */
final class HintTextParser {
  private static final Pattern OLD_PRESET =
      Pattern.compile("(broadcast|reduce|scatter|gather)\\((.*)\\)", Pattern.DOTALL);
  private static final String WORDS =
      "write pipeline, broadcast=8, reduce=GROUP, scatter=64m, gather=64m, reuse, or parts such as"
          + " local, collocate=GROUP, region=64m, nodes=HOST+HOST, spread, replicas=3, lazy,"
          + " lazy=3, block=64m, temporary, temporary=12h, keep, cache";

  private final String text;
  private final Hint.Builder hint = Hint.builder();

  /** The word that set each part of the hint. */
  private final Map<String, String> said = new HashMap<>();

  private Placement.@Nullable Collocate group;
  private int spread = 1;

  HintTextParser(String text) {
    this.text = text;
  }

  Hint parse() {
    Matcher old = OLD_PRESET.matcher(text.strip());
    if (old.matches()) {
      take(0, old.group(1), old.group(2).strip());
    } else if (!text.strip().equals("stock")) {
      takeAll();
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

  private void takeAll() {
    int start = 0;
    while (start <= text.length()) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      String word = text.substring(start, end).strip();
      int equals = word.indexOf('=');
      if (equals < 0) {
        take(start, word, null);
      } else {
        take(start, word.substring(0, equals).strip(), word.substring(equals + 1).strip());
      }
      start = end + 1;
    }
  }

  private void take(int at, String name, @Nullable String value) {
    try {
      if (value == null) {
        takeBare(at, name);
      } else {
        takeValue(at, name, value);
      }
    } catch (MisplacedException e) {
      throw e;
    } catch (InvalidHintException e) {
      throw new InvalidHintException(
          "hint '" + text + "' at offset " + at + ": " + e.getMessage(), e);
    }
  }

  private void takeBare(int at, String name) {
    switch (name) {
      case "pipeline" -> {
        placement(at, name, new Placement.Local());
        replication(at, name, Replication.lazy());
      }
      case "reuse" -> {
        lifetime(at, name, Lifetime.keep());
        cache(at, name);
      }
      case "local" -> placement(at, name, new Placement.Local());
      case "spread" -> placement(at, name, new Placement.Spread());
      case "lazy" -> replication(at, name, Replication.lazy());
      case "eager" ->
          replication(at, name, new Replication(Replication.FILES_OWN, Replication.Mode.EAGER));
      case "temporary" -> lifetime(at, name, Lifetime.scratch());
      case "keep" -> lifetime(at, name, Lifetime.keep());
      case "cache" -> cache(at, name);
      case "" -> throw error(at, "has an empty word", WORDS);
      default -> throw error(at, "has a word '" + name + "' that is not known", WORDS);
    }
  }

  private void takeValue(int at, String name, String value) {
    switch (name) {
      case "broadcast", "replicas" ->
          replication(at, name, new Replication(replicas(at, value), Replication.Mode.EAGER));
      case "lazy" ->
          replication(at, name, new Replication(replicas(at, value), Replication.Mode.LAZY));
      case "reduce" -> {
        collocate(at, name, value);
        replication(at, name, Replication.lazy());
      }
      case "collocate" -> collocate(at, name, value);
      case "spread" -> spread = Math.toIntExact(number(at, value, Integer.MAX_VALUE));
      case "scatter" -> scatter(at, name, value);
      case "gather" -> {
        placement(at, name, new Placement.Local());
        blockSize(at, name, value);
      }
      case "region" -> placement(at, name, new Placement.Scatter(Quantities.bytes(value)));
      case "nodes" -> placement(at, name, new Placement.Nodes(List.of(value.split("\\+", -1))));
      case "block" -> blockSize(at, name, value);
      case "temporary" -> lifetime(at, name, new Lifetime(true, Quantities.duration(value)));
      default -> takeWoss(at, name, value);
    }
  }

  /** The keywords of the workflow-optimized storage system (WOSS) of Al-Kiswany and others. */
  private void takeWoss(int at, String name, String value) {
    String[] words = value.split("\\s+", 2);
    String argument = words.length > 1 ? words[1] : "";
    String key = name.toLowerCase(Locale.ROOT);
    if (key.equals("replication")) {
      replication(at, name, Replication.eager(replicas(at, value)));
    } else if (!key.equals("dp")) {
      throw error(at, "has a word '" + name + "' that is not known", WORDS);
    } else {
      switch (words[0].toLowerCase(Locale.ROOT)) {
        case "local" -> placement(at, name, new Placement.Local());
        case "collocation" -> collocate(at, name, argument);
        case "scatter" -> scatter(at, name, argument);
        default ->
            throw error(
                at,
                "has a placement '" + value + "' that is not known",
                "write DP=local, DP=collocation GROUP or DP=scatter BYTES");
      }
    }
  }

  private void scatter(int at, String word, String value) {
    placement(at, word, new Placement.Scatter(Quantities.bytes(value)));
    blockSize(at, word, value);
  }

  private void collocate(int at, String word, String name) {
    group = new Placement.Collocate(name);
    placement(at, word, group);
  }

  private void placement(int at, String word, Placement placement) {
    once(at, word, "placement");
    hint.placement(placement);
  }

  private void replication(int at, String word, Replication replication) {
    once(at, word, "replication");
    hint.replication(replication);
  }

  private void blockSize(int at, String word, String value) {
    once(at, word, "block size");
    hint.blockSize(Quantities.bytes(value));
  }

  private void lifetime(int at, String word, Lifetime lifetime) {
    once(at, word, "lifetime");
    hint.lifetime(lifetime);
  }

  private void cache(int at, String word) {
    once(at, word, "cache");
    hint.cache(true);
  }

  private void once(int at, String word, String part) {
    String before = said.put(part, word);
    if (before != null) {
      throw error(
          at,
          "sets the " + part + " twice, with '" + before + "' and '" + word + "'",
          "leave one of them out");
    }
  }

  private int replicas(int at, String value) {
    int number = Math.toIntExact(number(at, value, Integer.MAX_VALUE));
    if (number == Replication.FILES_OWN) {
      throw error(at, "asks for no replicas", "write 1 to " + Replication.MAX_TARGET);
    }
    return number;
  }

  private long number(int at, String value, long most) {
    try {
      long number = Long.parseLong(value);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      MisplacedException misplaced =
          error(at, "has '" + value + "', which is not a whole number", "write digits");
      misplaced.initCause(e);
      throw misplaced;
    }
    throw error(at, "has " + value + ", which is out of range", "write a number of at least 1");
  }

  private MisplacedException error(int at, String problem, String remedy) {
    return new MisplacedException(
        "hint '" + text + "' " + problem + " at offset " + at + "; " + remedy);
  }

  /** An error that already names its position. */
  private static final class MisplacedException extends InvalidHintException {
    private static final long serialVersionUID = 1L;

    MisplacedException(String message) {
      super(message);
    }
  }
}

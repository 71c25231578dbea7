package dev.weir.hints;

import dev.weir.hints.Placement.Collocate;
import dev.weir.hints.Placement.Local;
import dev.weir.hints.Placement.Scatter;

/** The hints of the six access patterns of scientific workflows. */
public final class Presets {
  private Presets() {}

  /** A file that the next task of a chain reads: stays with its writer, copied afterwards. */
  public static Hint pipeline() {
    return Hint.builder().placement(new Local()).replication(Replication.lazy()).build();
  }

  /**
   * A file that many tasks read: several replicas made by the write itself.
   *
   * @param replicas 1 to {@value Replication#MAX_TARGET}
   */
  public static Hint broadcast(int replicas) {
    if (replicas < 1) {
      throw new InvalidHintException(
          "broadcast to " + replicas + " nodes; write 1 to " + Replication.MAX_TARGET);
    }
    return Hint.builder().replication(Replication.eager(replicas)).build();
  }

  /**
   * Files of many writers that one task reads: gathered on one node in the background.
   *
   * @param group a name for the files that belong together
   */
  public static Hint reduce(String group) {
    return Hint.builder().placement(new Collocate(group)).replication(Replication.lazy()).build();
  }

  /**
   * A file whose regions are read by different tasks: a region is a block, each on another node.
   *
   * @param regionBytes bytes of a region, a legal block size
   */
  public static Hint scatter(long regionBytes) {
    return Hint.builder().placement(new Scatter(regionBytes)).blockSize(regionBytes).build();
  }

  /**
   * A file whose regions are written by different tasks: a region is a block, with its writer.
   *
   * @param regionBytes bytes of a region, a legal block size
   */
  public static Hint gather(long regionBytes) {
    return Hint.builder().placement(new Local()).blockSize(regionBytes).build();
  }

  /** A file that is read again and again: kept and cached. */
  public static Hint reuse() {
    return Hint.builder().lifetime(Lifetime.keep()).cache(true).build();
  }

  /**
   * Reads a preset as people write it: {@code pipeline}, {@code broadcast(4)}, {@code
   * reduce(name)}, {@code scatter(bytes)}, {@code gather(bytes)} or {@code reuse}.
   *
   * @throws InvalidHintException for anything else
   */
  public static Hint parse(String text) {
    String name = text;
    String argument = "";
    int open = text.indexOf('(');
    if (open >= 0 && text.endsWith(")")) {
      name = text.substring(0, open);
      argument = text.substring(open + 1, text.length() - 1).strip();
    }
    boolean bare = open < 0;
    return switch (name.strip()) {
      case "pipeline" -> requireBare(bare, text, pipeline());
      case "reuse" -> requireBare(bare, text, reuse());
      case "broadcast" -> broadcast(Math.toIntExact(number(text, argument, Integer.MAX_VALUE)));
      case "reduce" -> reduce(argument);
      case "scatter" -> scatter(number(text, argument, Long.MAX_VALUE));
      case "gather" -> gather(number(text, argument, Long.MAX_VALUE));
      default -> throw unknown(text);
    };
  }

  private static Hint requireBare(boolean bare, String text, Hint hint) {
    if (!bare) {
      throw unknown(text);
    }
    return hint;
  }

  private static long number(String text, String argument, long max) {
    try {
      long value = Long.parseLong(argument);
      if (value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new InvalidHintException(
          "preset '" + text + "' needs a whole number between its parentheses", e);
    }
    throw new InvalidHintException("preset '" + text + "' has too high a number");
  }

  private static InvalidHintException unknown(String text) {
    return new InvalidHintException(
        "preset '"
            + text
            + "' is not known; write pipeline, broadcast(replicas), reduce(group), scatter(bytes),"
            + " gather(bytes) or reuse");
  }
}

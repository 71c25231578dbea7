package dev.weir.hints;

import dev.weir.hints.Placement.Collocate;
import dev.weir.hints.Placement.Local;
import dev.weir.hints.Placement.Scatter;

/** The hints of the six access patterns of scientific workflows. */
public final class HintPresets {
  private HintPresets() {}

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
}

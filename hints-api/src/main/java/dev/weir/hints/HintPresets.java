package dev.weir.hints;

import dev.weir.hints.Placement.Collocate;
import dev.weir.hints.Placement.Local;
import dev.weir.hints.Placement.Scatter;

/** Hints for the six access patterns of scientific workflows. */
public final class HintPresets {
  private HintPresets() {}

  /**
   * A file that the next task of a chain reads: it stays with its writer and is replicated
   * afterwards.
   */
  public static Hint pipeline() {
    return Hint.builder().placement(new Local()).replication(Replication.lazy()).build();
  }

  /**
   * A file that many tasks read: the write creates several replicas.
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
   * Files of many writers that one task reads: they are collected on one node in the background.
   */
  public static Hint reduce(String group) {
    return Hint.builder().placement(new Collocate(group)).replication(Replication.lazy()).build();
  }

  /**
   * A file whose regions are read by different tasks: each region is a block on another node.
   *
   * @param regionBytes the size of a region, a legal block size
   */
  public static Hint scatter(long regionBytes) {
    return Hint.builder().placement(new Scatter(regionBytes)).blockSize(regionBytes).build();
  }

  /**
   * A file whose regions are written by different tasks: each region is a block on its writer's
   * node.
   *
   * @param regionBytes the size of a region, a legal block size
   */
  public static Hint gather(long regionBytes) {
    return Hint.builder().placement(new Local()).blockSize(regionBytes).build();
  }

  /** A file that is read repeatedly: it is kept and cached. */
  public static Hint reuse() {
    return Hint.builder().lifetime(Lifetime.keep()).cache(true).build();
  }
}

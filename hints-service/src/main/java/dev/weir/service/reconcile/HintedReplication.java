package dev.weir.service.reconcile;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.Hint;
import java.util.OptionalInt;

/**
 * The replication of a file whose client did not follow its hint. A file whose replication differs
 * from the cluster's default was set explicitly and is left alone. So is an erasure-coded file. The
 * NameNode itself makes lazy copies.
 */
final class HintedReplication {
  private HintedReplication() {}

  static OptionalInt of(Hint hint, int replication, int defaultReplication) {
    int wanted = TargetReplication.wanted(hint);
    return wanted == TargetReplication.FILES_OWN
            || replication != defaultReplication
            || wanted == replication
        ? OptionalInt.empty()
        : OptionalInt.of(wanted);
  }
}

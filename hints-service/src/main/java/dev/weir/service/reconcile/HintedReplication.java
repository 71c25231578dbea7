package dev.weir.service.reconcile;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.Hint;
import java.util.OptionalInt;

/**
 * How many replicas a file is to have whose client did not follow its hint. A file that has not the
 * cluster's default replication was made so by somebody who meant it, and is left alone; so is one
 * that is erasure-coded. Copies that are made lazily are the NameNode's own work.
 */
final class HintedReplication {
  private HintedReplication() {}

  static OptionalInt of(Hint hint, int replication, int byDefault) {
    int wanted = TargetReplication.wanted(hint);
    return wanted == TargetReplication.FILES_OWN
            || replication != byDefault
            || wanted == replication
        ? OptionalInt.empty()
        : OptionalInt.of(wanted);
  }
}

package dev.weir.service.locate;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a file as a whole may not be as its rule asks.
 *
 * @param following whether the NameNode follows the rule
 * @param written when the file was last written
 * @param changed when the rule's set was last changed; null when that is not known
 * @param byDefault how many replicas stock HDFS makes
 */
record DifferenceCauses(
    NameNodeRuleStatus following, Instant written, @Nullable Instant changed, int byDefault) {

  /** Why blocks are not where they are wanted; empty when the facts do not tell. */
  Optional<String> ofPlaces() {
    Optional<String> obstacle = following.obstacle();
    return obstacle.isPresent() ? obstacle : ofAge();
  }

  /** Why the replication is not what is wanted. */
  String ofReplication(int replication) {
    return ofAge()
        .orElse(
            replication == byDefault
                ? "it is the default: the file system of the program that wrote it follows no hints"
                    + " (fs.hdfs.impl), and the service's leader, which changes it when it sees the"
                    + " file complete, has not done so"
                : "whoever wrote the file said so, for the default is "
                    + byDefault
                    + "; that is left alone");
  }

  /** Why the block size is not what is wanted. */
  String ofBlockSize() {
    return ofAge()
        .orElse(
            "the program that wrote the file named its own, or its file system follows no hints"
                + " (fs.hdfs.impl); the block size of a file never changes");
  }

  private Optional<String> ofAge() {
    return changed != null && written.isBefore(changed)
        ? Optional.of(
            "the file was last written at "
                + written.truncatedTo(ChronoUnit.SECONDS)
                + ", before the hint set was last changed at "
                + changed.truncatedTo(ChronoUnit.SECONDS)
                + "; what counts while a file is written counts for it")
        : Optional.empty();
  }
}

package dev.weir.service.locate.explain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a file differs from what its rule asks for, as far as the reason concerns the whole
 * file.
 *
 * @param following whether the NameNode follows the rule
 * @param written the last modification of the file
 * @param changed the last change of the rule's set; null if it is not known
 * @param byDefault the default replication of HDFS
 */
record DifferenceCauses(
    NameNodeRuleStatus following, Instant written, @Nullable Instant changed, int byDefault) {

  /** Returns why blocks are not at the wanted places; empty if the facts do not explain it. */
  Optional<String> ofPlaces() {
    Optional<String> obstacle = following.obstacle();
    return obstacle.isPresent() ? obstacle : ofAge();
  }

  /** Returns why the replication differs from the wanted one. */
  String ofReplication(int replication) {
    return ofAge()
        .orElse(
            replication == byDefault
                ? "it is the default: the file system of the program that wrote it"
                    + " follows no hints (fs.hdfs.impl), and the service's leader, which"
                    + " changes it after the file is complete, has not done so"
                : "the writer chose it explicitly, because the default is "
                    + byDefault
                    + "; Weir does not change it");
  }

  /** Returns why the block size differs from the wanted one. */
  String ofBlockSize() {
    return ofAge()
        .orElse(
            "the program that wrote the file set the block size, or its file system follows no"
                + " hints (fs.hdfs.impl); the block size of a file never changes");
  }

  private Optional<String> ofAge() {
    return changed != null && written.isBefore(changed)
        ? Optional.of(
            "the file was last written at "
                + written.truncatedTo(ChronoUnit.SECONDS)
                + ", before the hint set was last changed at "
                + changed.truncatedTo(ChronoUnit.SECONDS)
                + "; only the hints at the time of writing affect a file")
        : Optional.empty();
  }
}

package dev.weir.service.locate.explain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for differences that concern the whole file.
 *
 * @param ruleStatus whether the NameNode follows the rule
 * @param written the last modification of the file
 * @param changed the last change of the rule's set; null if it is not known
 * @param defaultReplication the default replication of HDFS
 */
record DifferenceCauses(
    NameNodeRuleStatus ruleStatus,
    Instant written,
    @Nullable Instant changed,
    int defaultReplication) {

  /** Returns why blocks are not at the wanted places; empty if there is no known reason. */
  Optional<String> ofPlacement() {
    Optional<String> obstacle = ruleStatus.obstacle();
    return obstacle.isPresent() ? obstacle : ofAge();
  }

  /** Returns why the replication differs from the wanted one. */
  String ofReplication(int replication) {
    return ofAge()
        .orElse(
            replication == defaultReplication
                ? "it is the default: the file system of the program that wrote it"
                    + " follows no hints (fs.hdfs.impl), and the service's leader, which"
                    + " changes it after the file is complete, has not done so"
                : "the writer chose it explicitly, because the default is "
                    + defaultReplication
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

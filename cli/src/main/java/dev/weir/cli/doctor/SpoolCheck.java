package dev.weir.cli.doctor;

import dev.weir.workflow.delivery.RunRecordSpool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;

/** Checks for records of the user's runs that the hints service has not received or has refused. */
final class SpoolCheck implements Check {
  private static final String SUBJECT = "provenance";

  private final RunRecordSpool spool;

  SpoolCheck(RunRecordSpool spool) {
    this.spool = spool;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() throws IOException {
    RunRecordSpool.Content content;
    try {
      content = spool.content();
    } catch (AccessControlException e) {
      return List.of(
          Finding.note(
              SUBJECT,
              spool.directory() + " is not yours to read: no record of a run can wait there",
              "have it given to you (hdfs dfs -chown) or moved away"));
    }
    List<Finding> findings = new ArrayList<>();
    if (content.waiting() > 0) {
      findings.add(
          Finding.note(
              SUBJECT,
              "records of runs that wait for the hints service: " + content.waiting(),
              "the next run delivers them, or weir provenance --deliver"));
    }
    if (content.refused() > 0) {
      findings.add(
          Finding.note(
              SUBJECT,
              "records of runs that the hints service has refused: " + content.refused(),
              "weir provenance --deliver tries again and says why; they are in "
                  + spool.directory()));
    }
    return findings;
  }
}

package dev.weir.cli.doctor;

import dev.weir.workflow.delivery.RunRecordSpool;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;

/** Checks for records of the user's runs that the hints service has not received or has refused. */
record SpoolCheck(RunRecordSpool spool) implements Check {
  private static final String SUBJECT = "provenance";

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    RunRecordSpool.Content content;
    try {
      content = spool.content();
    } catch (AccessControlException e) {
      findings.note(
          spool.directory() + " is not yours to read: no record of a run can wait there",
          "have it given to you (hdfs dfs -chown) or moved away");
      return;
    }
    if (content.waiting() > 0) {
      findings.note(
          "records of runs that wait for the hints service: " + content.waiting(),
          "the next run delivers them, or weir provenance --deliver");
    }
    if (content.refused() > 0) {
      findings.note(
          "records of runs that the hints service has refused: " + content.refused(),
          "weir provenance --deliver tries again and says why; they are in " + spool.directory());
    }
  }
}

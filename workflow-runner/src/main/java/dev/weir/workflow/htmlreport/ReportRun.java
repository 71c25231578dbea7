package dev.weir.workflow.htmlreport;

import dev.weir.workflow.record.RunRecord;

/**
 * A run of a report.
 *
 * @param details what is known beside the record
 */
public record ReportRun(RunRecord record, RunDetails details) {

  /** Creates a run of which only the record is known. */
  public static ReportRun of(RunRecord record) {
    return new ReportRun(record, RunDetails.NONE);
  }
}

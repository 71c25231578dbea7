package dev.weir.yarn;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Tells the user of a running application, among its diagnostics, why files that it names are of no
 * use. Diagnostics of YARN's own stay.
 */
final class Diagnosis {

  static final String PREFIX = "Weir: containers may come on any node: ";

  private Diagnosis() {}

  /**
   * Puts the problems there, or takes away what was there when there are none any more; not for
   * threads of the scheduler.
   */
  static void tell(RMContext context, ApplicationAttemptId id, String problems) {
    RMApp app = context.getRMApps().get(id.getApplicationId());
    RMAppAttempt attempt = app == null ? null : app.getRMAppAttempt(id);
    if (attempt == null) {
      return;
    }
    String text = change(attempt.getDiagnostics(), problems);
    if (text != null) {
      attempt.updateAMLaunchDiagnostics(text);
    }
  }

  /** What is to stand there instead, null to leave it. */
  static @Nullable String change(@Nullable String now, String problems) {
    boolean ours = now != null && now.startsWith(PREFIX);
    if (problems.isEmpty()) {
      return ours ? "" : null;
    }
    String text = PREFIX + problems;
    boolean free = ours || now == null || now.isEmpty();
    return free && !text.equals(now) ? text : null;
  }
}

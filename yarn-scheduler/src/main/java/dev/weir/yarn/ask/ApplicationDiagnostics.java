package dev.weir.yarn.ask;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Reports in a running application's diagnostics why files that it names cannot be used. YARN's own
 * diagnostics are not replaced.
 */
final class ApplicationDiagnostics {

  static final String PREFIX = "Weir: containers may run on any node: ";

  /** YARN stores the text and shows it in lists. */
  private static final int MAX_REASON = 300;

  private static final String REFUSED = "Weir: YARN refuses asks that name files: ";

  private ApplicationDiagnostics() {}

  /**
   * Sets the problems, or clears them if there are none. Must not be called by threads of the
   * scheduler.
   */
  static void report(RMContext context, ApplicationAttemptId id, String problems) {
    put(context, id, problems.isEmpty() ? "" : PREFIX + problems);
  }

  /** Reports that YARN refuses held asks, with YARN's reason. */
  static void reportRefusal(RMContext context, ApplicationAttemptId id, String why) {
    put(context, id, REFUSED + (why.length() > MAX_REASON ? why.substring(0, MAX_REASON) : why));
  }

  private static void put(RMContext context, ApplicationAttemptId id, String ours) {
    RMApp app = context.getRMApps().get(id.getApplicationId());
    RMAppAttempt attempt = app == null ? null : app.getRMAppAttempt(id);
    if (attempt == null) {
      return;
    }
    String text = change(attempt.getDiagnostics(), ours);
    if (text != null) {
      attempt.updateAMLaunchDiagnostics(text);
    }
  }

  /** The new diagnostics; null to leave them unchanged. */
  static @Nullable String change(@Nullable String now, String text) {
    boolean ours = now != null && (now.startsWith(PREFIX) || now.startsWith(REFUSED));
    if (text.isEmpty()) {
      return ours ? "" : null;
    }
    boolean free = ours || now == null || now.isEmpty();
    return free && !text.equals(now) ? text : null;
  }
}

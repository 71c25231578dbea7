package dev.weir.workflow.client;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.util.Records;

/** A YARN client with sessions of one user. It assigns application ids and runs no applications. */
final class SessionYarn extends KnownApplications {

  /** The id that it assigns. */
  static final ApplicationId NEXT = ApplicationId.newInstance(7, 9);

  private final String user;
  private final Map<ApplicationId, YarnApplicationState> states;
  private final List<ApplicationId> killed;

  /**
   * Creates one of several clients.
   *
   * @param killed receives the killed applications
   */
  SessionYarn(
      String user, Map<ApplicationId, YarnApplicationState> states, List<ApplicationId> killed) {
    super(SessionStarter.APPLICATION_TYPE, states);
    this.user = user;
    this.states = states;
    this.killed = killed;
  }

  @Override
  public ApplicationReport getApplicationReport(ApplicationId id)
      throws ApplicationNotFoundException {
    ApplicationReport report = super.getApplicationReport(id);
    report.setApplicationType(SessionStarter.APPLICATION_TYPE);
    report.setUser(user);
    report.setName("s" + id.getId());
    report.setDiagnostics("");
    return report;
  }

  @Override
  public List<ApplicationReport> getApplications(
      Set<String> types, EnumSet<YarnApplicationState> wanted) throws ApplicationNotFoundException {
    List<ApplicationReport> found = new ArrayList<>();
    for (ApplicationId id : states.keySet()) {
      if (wanted.contains(states.get(id))) {
        found.add(getApplicationReport(id));
      }
    }
    return found;
  }

  @Override
  public YarnClientApplication createApplication() {
    ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
    context.setApplicationId(NEXT);
    return new YarnClientApplication(Records.newRecord(GetNewApplicationResponse.class), context);
  }

  @Override
  public void killApplication(ApplicationId id) {
    killed.add(id);
  }
}

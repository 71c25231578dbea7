package dev.weir.workflow.client;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.util.Records;

/** A YARN client that knows some applications of one type and their states. */
public class KnownApplications extends YarnClientImpl {

  /** The type of runs. */
  public static final String RUNS = "WEIR";

  private final String type;
  private final Map<ApplicationId, YarnApplicationState> states;

  public KnownApplications(String type, Map<ApplicationId, YarnApplicationState> states) {
    this.type = type;
    this.states = states;
  }

  @Override
  public ApplicationReport getApplicationReport(ApplicationId id)
      throws ApplicationNotFoundException {
    YarnApplicationState state = states.get(id);
    if (state == null) {
      throw new ApplicationNotFoundException(id + " is not known");
    }
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setApplicationId(id);
    report.setYarnApplicationState(state);
    return report;
  }

  @Override
  public List<ApplicationReport> getApplications(
      Set<String> types, EnumSet<YarnApplicationState> wanted) throws ApplicationNotFoundException {
    List<ApplicationReport> found = new ArrayList<>();
    for (Map.Entry<ApplicationId, YarnApplicationState> known : states.entrySet()) {
      if (types.contains(type) && wanted.contains(known.getValue())) {
        found.add(getApplicationReport(known.getKey()));
      }
    }
    return found;
  }
}

package dev.weir.workflow.run;

import dev.weir.hints.HintText;
import dev.weir.hints.index.HintIndex;
import dev.weir.workflow.htmlreport.RunDetails;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.staging.RunPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes what a report shows beside a run's record from its plan and hints. */
public final class PlanDetails {

  private PlanDetails() {}

  public static RunDetails of(RunPlan plan, HintIndex index) {
    Map<String, List<String>> commands = new HashMap<>();
    for (Task task : plan.workflow().tasks()) {
      commands.put(task.id(), task.command());
    }
    Map<String, String> hints = new HashMap<>();
    for (String file : plan.workflow().files().keySet()) {
      index
          .lookup(plan.path(file))
          .ifPresent(match -> hints.put(file, HintText.format(match.hint())));
    }
    return new RunDetails(plan.standIn(), commands, hints);
  }
}

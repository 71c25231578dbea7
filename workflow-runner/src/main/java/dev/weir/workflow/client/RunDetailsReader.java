package dev.weir.workflow.client;

import dev.weir.hints.HintCodec;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.index.HintIndex;
import dev.weir.workflow.htmlreport.RunDetails;
import dev.weir.workflow.run.PlanDetails;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;

/** Reads from the directory of a run what its report shows beside its record. */
final class RunDetailsReader {

  private RunDetailsReader() {}

  /** Reads the plan and the hints; a missing file is no error. */
  static RunDetails read(Staging directory) throws IOException {
    RunPlan plan;
    try {
      plan = AddedTasks.readPlan(directory);
    } catch (FileNotFoundException e) {
      return RunDetails.NONE;
    }
    return PlanDetails.of(plan, hints(directory));
  }

  private static HintIndex hints(Staging directory) throws IOException {
    try {
      String json = directory.readText(Staging.HINTS);
      return HintIndex.of(List.of(HintCodec.fromJson(json, Staging.HINTS)));
    } catch (FileNotFoundException | InvalidHintException e) {
      return HintIndex.empty();
    }
  }
}

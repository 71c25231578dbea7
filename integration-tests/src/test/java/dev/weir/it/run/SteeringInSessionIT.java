package dev.weir.it.run;

import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Steers runs in a session. */
class SteeringInSessionIT extends SteeringTests {

  SteeringInSessionIT() {
    super("steering-in-session");
  }

  @BeforeEach
  void start() throws Exception {
    startSession(Mode.LOCALITY, new WorkerPlan(1, 1, 1024, 0).elastic(0, WorkerPlan.IDLE_SECONDS));
  }

  @Override
  List<String> runOptions() {
    return List.of("--session", session, "--mode", "locality");
  }

  @Override
  String application(String run) {
    return session;
  }

  /** YARN does not know the run's owner, and other users cannot read the directory of runs. */
  @Override
  String refusalForStrangers() {
    return "There is no run";
  }
}

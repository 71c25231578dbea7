package dev.weir.it.run;

import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Runs of a session that goes on after them. */
class SteeringInSessionIT extends SteeringTests {

  SteeringInSessionIT() {
    super("steering-in-session");
  }

  @BeforeEach
  void start() throws Exception {
    startSession(Mode.LOCALITY, new WorkerPlan(1, 1, 1024, 0).elastic(0, WorkerPlan.IDLE_SECONDS));
  }

  @Override
  List<String> place() {
    return List.of("--session", session, "--mode", "locality");
  }

  @Override
  String application(String run) {
    return session;
  }

  /** YARN does not know whose run it is, and the directory of another user's runs is closed. */
  @Override
  String toldToStrangers() {
    return "There is no run";
  }
}

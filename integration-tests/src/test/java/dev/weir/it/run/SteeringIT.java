package dev.weir.it.run;

import java.util.List;

/** Steers runs that have their own ApplicationMaster. */
class SteeringIT extends SteeringTests {

  SteeringIT() {
    super("steering");
  }

  @Override
  List<String> runOptions() {
    return List.of("--workers", "1", "--look-ahead", "0", "--mode", "locality");
  }

  @Override
  String application(String run) {
    return run;
  }

  @Override
  String refusalForStrangers() {
    return "and you are stranger";
  }
}

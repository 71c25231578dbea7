package dev.weir.it.run;

import java.util.List;

/** Runs of which each has an ApplicationMaster for itself. */
class SteeringIT extends SteeringTests {

  SteeringIT() {
    super("steering");
  }

  @Override
  List<String> place() {
    return List.of("--workers", "1", "--look-ahead", "0", "--mode", "locality");
  }

  @Override
  String application(String run) {
    return run;
  }

  @Override
  String toldToStrangers() {
    return "and you are stranger";
  }
}

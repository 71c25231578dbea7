package dev.weir.workflow.yarn;

import java.util.EnumSet;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** Which states of applications in YARN mean what to Weir. */
public final class ApplicationStates {

  private ApplicationStates() {}

  /**
   * Those of applications that have ended, in whatever way.
   *
   * @return a new set
   */
  public static EnumSet<YarnApplicationState> over() {
    return EnumSet.of(
        YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);
  }

  /**
   * All others.
   *
   * @return a new set
   */
  public static EnumSet<YarnApplicationState> goingOn() {
    return EnumSet.complementOf(over());
  }

  /**
   * Whether an application in a state has ended.
   *
   * @param state what YARN says
   * @return whether
   */
  public static boolean isOver(YarnApplicationState state) {
    return over().contains(state);
  }
}

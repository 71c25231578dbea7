package dev.weir.workflow.yarn;

import java.util.EnumSet;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** Groups YARN's application states. */
public final class ApplicationStates {

  private ApplicationStates() {}

  /**
   * Returns the states of ended applications.
   *
   * @return a new set
   */
  public static EnumSet<YarnApplicationState> ended() {
    return EnumSet.of(
        YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);
  }

  /**
   * Returns all other states.
   *
   * @return a new set
   */
  public static EnumSet<YarnApplicationState> active() {
    return EnumSet.complementOf(ended());
  }

  /** Returns whether an application in this state has ended. */
  public static boolean hasEnded(YarnApplicationState state) {
    return ended().contains(state);
  }
}

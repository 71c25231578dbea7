package dev.weir.workflow.yarn;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

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

  /** Returns whether an application is live. One that YARN has forgotten is not. */
  public static boolean isLive(YarnClient yarn, ApplicationId id) throws IOException {
    try {
      return !hasEnded(yarn.getApplicationReport(id).getYarnApplicationState());
    } catch (ApplicationNotFoundException e) {
      return false;
    } catch (YarnException e) {
      throw new IOException("YARN says nothing about " + id + ": " + e.getMessage(), e);
    }
  }

  public static boolean hasEnded(YarnApplicationState state) {
    return ended().contains(state);
  }
}

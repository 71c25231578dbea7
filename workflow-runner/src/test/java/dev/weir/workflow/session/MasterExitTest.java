package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** How the process of an ApplicationMaster exits. */
class MasterExitTest {

  private static List<Integer> exits(MasterExit.Work work) {
    List<Integer> exits = new ArrayList<>();
    MasterExit.after(work, exits::add);
    return exits;
  }

  private static MasterExit.Work failing(Exception failure) {
    return () -> {
      if (failure instanceof InterruptedException interrupt) {
        throw interrupt;
      }
      throw new ExecutionException(failure);
    };
  }

  @Test
  void completedWorkExitsWithZero() {
    assertThat(exits(() -> {})).containsExactly(0);
  }

  @Test
  void failedWorkExitsWithOne() {
    assertThat(exits(failing(new IOException("no")))).containsExactly(1);
    assertThat(exits(failing(new InterruptedException("no")))).containsExactly(1);
  }

  @Test
  void errorExitsDespiteRunningThreads() {
    assertThat(
            exits(
                () -> {
                  throw new NoClassDefFoundError("dev/weir/Missing");
                }))
        .containsExactly(1);
  }
}

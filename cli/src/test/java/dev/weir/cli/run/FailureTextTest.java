package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.api.RunFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTextTest {

  @Test
  void failureOfATaskSaysHowToLookFurther() {
    RunFailure failure =
        new RunFailure(
            "make it", 3, List.of("sh", "-c", "exit 2"), 2, "n1", "exit code 2", "one\ntwo");

    assertThat(FailureText.of(failure, "run_1"))
        .isEqualTo(
            """
            The task 'make it' failed permanently after 3 attempts: exit code 2
              command:   sh -c 'exit 2'
              exit code: 2
              node:      n1
              end of its output:
                one
                two
              look further:
                weir logs run_1 'make it'   prints more of its output
                weir shell run_1 'make it'   makes its sandbox here, to try the command
                weir retry run_1   runs what is missing, once the cause is removed""");
  }

  @Test
  void failureOfTheRunHasNoTask() {
    assertThat(FailureText.of(RunFailure.ofRun("no workers", ""), "run_1"))
        .isEqualTo("The run failed: no workers");
  }

  @Test
  void failureOfASubWorkflowNamesNoNode() {
    RunFailure failure =
        new RunFailure(
            "sub", 1, List.of("weir:workflow", "w.jx"), -1, "", "/d/w.jx: 1:1: bad; mend it", "");

    assertThat(FailureText.of(failure, "run_1"))
        .isEqualTo("The task 'sub' failed: /d/w.jx: 1:1: bad; mend it");
  }
}

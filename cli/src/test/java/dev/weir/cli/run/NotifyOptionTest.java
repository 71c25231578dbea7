package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.record.RunState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotifyOptionTest {

  private static final RunNotice NOTICE =
      new RunNotice(
          "application_1_1",
          "montage",
          RunState.FAILED,
          Instant.EPOCH,
          Instant.EPOCH,
          10,
          3,
          2,
          4,
          "Task 'add': $(exit 1)");

  @TempDir private Path temp;

  private static String run(String command, long seconds) throws InterruptedException {
    StringWriter err = new StringWriter();
    NotifyOption.run(command, NOTICE, seconds, new PrintWriter(err, true));
    return err.toString();
  }

  @Test
  void aCommandGetsTheNoticeAsVariables() throws Exception {
    Path told = temp.resolve("told");
    assertThat(run("echo \"$WEIR_RUN $WEIR_STATE $WEIR_TASKS_DONE $WEIR_FAILURE\" > " + told, 60))
        .isEmpty();
    assertThat(Files.readString(told))
        .isEqualTo("application_1_1 FAILED 3 Task 'add': $(exit 1)\n");
  }

  @Test
  void aCommandThatFailsOrHangsIsReported() throws Exception {
    assertThat(run("exit 3", 60)).contains("ended with exit code 3");
    assertThat(run("sleep 1000", 1)).contains("was killed after 1 s");
  }

  @Test
  void aWebhookIsNotRepeatedInErrors() throws Exception {
    assertThat(RefusedRun.errorOf(temp, "--notify", "https://host/TOKEN x"))
        .contains("--notify: The webhook https://host/...")
        .doesNotContain("TOKEN");
    assertThat(RefusedRun.errorOf(temp, "--notify", "mail ann", "--detach"))
        .contains("leave out --detach");
    assertThat(
            RefusedRun.errorOf(
                temp, "--notify", "https://host/TOKEN", "--detach", "--session", "auto"))
        .contains("--session")
        .doesNotContain("TOKEN");
  }
}

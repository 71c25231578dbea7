package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskReportTest {

  private static final String REMEDY = "; raise the quota";

  /** A character that is a surrogate pair. */
  private static final String CLEF = Character.toString(0x1d11e);

  private static String firstLine(Result result, String message, String stderr) {
    return new TaskReport("t", 1, result, 1, message, stderr, List.of(), List.of(), Usage.NONE)
        .firstLine();
  }

  @Test
  void outputOfCommandsIsTruncated() {
    String most = "x".repeat(TaskReport.MAX_PRINTED);
    assertThat(firstLine(Result.FAILED, "exit code 1", "\n \n" + most + "\nmore")).isEqualTo(most);
    assertThat(firstLine(Result.FAILED, "exit code 1", most + "x"))
        .isEqualTo("x".repeat(TaskReport.MAX_PRINTED - 3) + "...");
  }

  @Test
  void messagesKeepTheirRemedy() {
    String refusal = "The space quota of /" + "d/".repeat(500) + " is exceeded" + REMEDY;
    assertThat(firstLine(Result.REFUSED, refusal, "noise")).isEqualTo(refusal);
    assertThat(firstLine(Result.FAILED, refusal, "")).isEqualTo(refusal);
    assertThat(firstLine(Result.REFUSED, "x".repeat(5_000), ""))
        .hasSize(TaskReport.MAX_MESSAGE)
        .endsWith("...");
  }

  @Test
  void firstLineOfACommandThatExitedWithZeroIsTheMessage() {
    TaskReport report =
        new TaskReport(
            "t",
            1,
            Result.FAILED,
            0,
            "output missing: 'o'",
            "noise",
            List.of(),
            List.of(),
            Usage.NONE);

    assertThat(report.firstLine()).isEqualTo("output missing: 'o'");
  }

  @Test
  void firstLineIsOneLine() {
    assertThat(firstLine(Result.FAILED, "\nfirst\nsecond", " \n\n")).isEqualTo("first");
    assertThat(firstLine(Result.REFUSED, "first\r\nsecond", "noise")).isEqualTo("first");
    assertThat(firstLine(Result.REFUSED, " \n", "printed\nmore")).isEqualTo("printed");
    assertThat(firstLine(Result.FAILED, " ", " ")).isEmpty();
  }

  @Test
  void surrogatePairsAreNotSplit() {
    for (String before : List.of("", "x")) {
      String line = before + CLEF.repeat(200);
      assertThat(firstLine(Result.FAILED, "", line))
          .matches(before + "(" + CLEF + ")+\\.\\.\\.")
          .hasSizeBetween(TaskReport.MAX_PRINTED - 1, TaskReport.MAX_PRINTED);
    }
  }
}

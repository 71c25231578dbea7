package dev.weir.cli.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What cannot be meant is refused before any cluster is asked: here there is none. */
class ArgumentsTest {
  private static final int WRONG_USAGE = 2;

  private final StringWriter err = new StringWriter();

  private int weir(String... words) {
    CommandLine weir = Weir.commandLine().setOut(new PrintWriter(err)).setErr(new PrintWriter(err));
    return weir.execute(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel", "prioritise", "retry"})
  void noTasksAreNotAllTasks(String command) {
    assertThat(weir(command, "last", "")).isEqualTo(WRONG_USAGE);
    assertThat(err.toString()).contains("TASKGLOB is empty", "leave it out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel", "prioritise", "retry"})
  void noNameIsNoRun(String command) {
    assertThat(weir(command, "")).isEqualTo(WRONG_USAGE);
    assertThat(err.toString()).contains("RUN is empty");
  }

  @Test
  void prioritiesAndAttemptsAreNumbersThatThereAre() {
    assertThat(weir("prioritise", "last", "--priority", "-1")).isEqualTo(WRONG_USAGE);
    assertThat(err.toString()).contains("--priority -1: a run has 0 or more");
    for (List<String> words :
        List.of(
            List.of("prioritise", "last", "t", "--priority", "2000000000"),
            List.of("prioritise", "last", "t", "--priority", "much"),
            List.of("logs", "last", "t", "--attempt", "0"),
            List.of("logs", "last"),
            List.of("status"))) {
      assertThat(weir(words.toArray(new String[0]))).as(words.toString()).isEqualTo(WRONG_USAGE);
    }
  }
}

package dev.weir.cli.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong arguments are refused before the cluster is contacted; these tests have none. */
class ArgumentsTest {
  private static final int WRONG_USAGE = 2;

  private static String refused(String... words) {
    Ran ran = Ran.weir(words);
    assertThat(ran.code()).as(String.join(" ", words)).isEqualTo(WRONG_USAGE);
    return ran.err();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel", "prioritise", "retry"})
  void emptyTaskPatternIsRefused(String command) {
    assertThat(refused(command, "last", "")).contains("TASKGLOB is empty", "leave it out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel", "prioritise", "retry"})
  void emptyNameIsNoRun(String command) {
    assertThat(refused(command, "")).contains("RUN is empty");
  }

  @Test
  void tasksAreAddedToANamedRunFromAFile() {
    assertThat(refused("add", "", "more.json")).contains("RUN is empty");
    assertThat(refused("add", "last")).contains("FILE");
  }

  @Test
  void invalidPrioritiesAndAttemptsAreRefused() {
    assertThat(refused("prioritise", "last", "--priority", "-1"))
        .contains("--priority -1: a run has 0 or more");
    for (List<String> words :
        List.of(
            List.of("prioritise", "last", "t", "--priority", "2000000000"),
            List.of("prioritise", "last", "t", "--priority", "much"),
            List.of("logs", "last", "t", "--attempt", "0"),
            List.of("status"))) {
      assertThat(refused(words.toArray(new String[0]))).isNotEmpty();
    }
  }
}
